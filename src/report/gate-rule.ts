/** Whether a rule compares with the baseline: its interval is then that of the change, else that of the value. */
export function isDrop(rule: string): boolean {
  return /\s(?:drop|rise)\s*(?:<=|=<|≤|<)/u.test(rule);
}
