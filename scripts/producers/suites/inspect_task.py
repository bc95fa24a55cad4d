from agent import QUESTIONS, answer
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput
from inspect_ai.scorer import exact, includes
from inspect_ai.solver import solver


@solver
def asked():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("agent", answer(state.input_text))
        state.messages.append(state.output.message)
        return state

    return solve


@task
def capitals():
    return Task(
        dataset=[Sample(input=[ChatMessageSystem(content="s"), ChatMessageUser(content=q)], target=a) for q, a in QUESTIONS],
        solver=asked(), scorer=[exact(), includes()], epochs=2, fail_on_error=False,
    )
