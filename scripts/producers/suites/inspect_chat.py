"""Conversations in Inspect: q12 runs into a limit before it answers, q14 crashes, a second scorer cannot score q11 (NaN)."""
from agent import QUESTIONS, answer
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score, accuracy, exact, scorer
from inspect_ai.solver import solver


@solver
def talked():
    async def solve(state, generate):
        asked = state.user_prompt.text
        if asked == "q12":
            for _ in range(20):
                state.messages.append(ChatMessageUser(content="and?"))
        state.output = ModelOutput.from_content("agent", answer(asked))
        state.messages.append(state.output.message)
        return state

    return solve


@scorer(metrics=[accuracy()])
def sure():
    async def score(state, target):
        return Score(value=float("nan") if state.user_prompt.text == "q11" else 1.0)

    return score


@task
def chat():
    talks = [
        [ChatMessageSystem(content="s"), ChatMessageUser(content="hello"), ChatMessageAssistant(content="hi"), ChatMessageUser(content=q)]
        for q, _ in QUESTIONS
    ]
    return Task(
        dataset=[Sample(input=talk, target=a) for talk, (_, a) in zip(talks, QUESTIONS)],
        solver=talked(), scorer=[exact(), sure()], message_limit=12, fail_on_error=False,
    )
