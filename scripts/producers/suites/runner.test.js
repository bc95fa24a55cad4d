import { describe, expect, it } from "vitest";
import agent from "./agent.cjs";
describe("capitals", () => {
  for (const { q, a } of agent.QUESTIONS)
    it(`answers ${q}`, () => {
      expect(agent.answer(q)).toBe(a);
    });
  it.skip("is not run", () => {});
});
it("stands alone", () => {});
