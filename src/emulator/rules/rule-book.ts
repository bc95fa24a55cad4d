import type { RevisionRule } from "../deployments/revision.ts";
import type { World } from "../world.ts";

interface RuleBook {
  readonly take: World["ruleFor"];
  readonly add: (rules: readonly RevisionRule[]) => void;
  readonly restart: () => void;
}

/** Revision rules, with how often each may still be used. */
export function createRuleBook(initial: readonly RevisionRule[]): RuleBook {
  const arm = (rules: readonly RevisionRule[]): { readonly rule: RevisionRule; left: number }[] =>
    rules.map((rule) => ({ rule, left: rule.times === 0 ? Infinity : (rule.times ?? 1) }));
  let armed = arm(initial);
  return {
    take: (deployment, revision) => {
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
    add: (rules) => {
      armed = [...armed, ...arm(rules)];
    },
    restart: () => {
      armed = arm(initial);
    },
  };
}
