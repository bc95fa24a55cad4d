"""The agent under test: right answers, but for q13; q14 crashes. VARIANT=worse gets q1 to q10 wrong as well, VARIANT=b is asked backwards."""
import os

WORSE = os.environ.get("VARIANT") == "worse"
QUESTIONS = [(f"q{n}", f"answer {n}.") for n in range(1, 15)]
if os.environ.get("VARIANT") == "b":
    QUESTIONS.reverse()


def answer(q):
    n = int(q[1:])
    if n == 14:
        raise TypeError("agent down")
    return "no idea" if n == 13 or (WORSE and n <= 10) else f"answer {n}."
