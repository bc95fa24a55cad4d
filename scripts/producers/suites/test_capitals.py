import pytest
from agent import QUESTIONS, answer


@pytest.mark.parametrize("q,a", QUESTIONS)
def test_answers(q, a, record_property):
    said = answer(q)
    record_property("score.exact", float(said == a))
    assert said == a


@pytest.mark.skip
def test_is_not_run():
    pass


@pytest.fixture
def broken():
    raise RuntimeError("setup failed")


def test_setup(broken):
    pass
