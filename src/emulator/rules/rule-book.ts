import type { RevisionRule } from "../deployments/revision.ts";

/** Revision rules, with how often each may still be used. */
export function createRuleBook(initial: readonly RevisionRule[]) {
  const arm = (rules: readonly RevisionRule[]): { readonly rule: RevisionRule; left: number }[] =>
    rules.map((rule) => ({ rule, left: rule.times === 0 ? Infinity : (rule.times ?? 1) }));
  let armed = arm(initial);
  return {
    take: (deployment: string, revision: number): RevisionRule => {
      const found = armed.find(
        (one) =>
          one.left > 0 &&
          (one.rule.deployment ?? deployment) === deployment &&
          (one.rule.revision ?? revision) === revision,
      );
      if (found === undefined) return {};
      found.left -= 1;
      return found.rule;
    },
    add: (rules: readonly RevisionRule[]): void => {
      armed = [...armed, ...arm(rules)];
    },
    restart: (): void => {
      armed = arm(initial);
    },
  };
}
