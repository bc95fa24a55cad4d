/** Longer commands are not shown: nobody reads what they would run. */
const MAX_CHARS = 300;

/** One word for a POSIX shell: names come from a file that others may have written. */
const quoted = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command of words; undefined if it would be long, or holds what a terminal does not show. */
function commandOf(words: readonly string[]): string | undefined {
  const command = words.map(quoted).join(" ");
  return command.length > MAX_CHARS || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(command)
    ? undefined
    : command;
}

/** A pattern for exactly this title, as vitest, Jest and mocha take it. */
const exactly = (title: string): string => `^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;

/** How runners of JavaScript tests are started. */
const RUNNERS = {
  vitest: ["npx", "vitest", "run"],
  jest: ["npx", "jest"],
  mocha: ["npx", "mocha"],
} as const;

/**
 * Runs one test by its full title. vitest and Jest find a file by the end of its path, since the
 * report has that of another machine; mocha would need the whole path, so it looks in all files.
 */
export function rerunByTitle(
  runner: keyof typeof RUNNERS,
  title: string,
  file?: string,
): string | undefined {
  const name = file?.split(/[\\/]/).at(-1) ?? "";
  // A name that begins with a dash would be an option.
  if (title === "" || name.startsWith("-")) return undefined;
  const found = runner === "mocha" || name === "" ? [] : [name];
  const option = runner === "mocha" ? "-g" : "-t";
  return commandOf([...RUNNERS[runner], ...found, option, exactly(title)]);
}

/**
 * Runs one test of pytest, whose reports write `tests/test_a.py::TestB::test_c` as the class
 * `tests.test_a.TestB`. Modules begin with a small letter, classes with a capital one.
 */
export function rerunPytest(classname: string | undefined, name: string): string | undefined {
  const parts = (classname ?? "").split(".");
  const ofClass = parts.findIndex((part) => /^\p{Lu}/u.test(part));
  const module = parts.slice(0, ofClass === -1 ? parts.length : ofClass);
  if (module.join("") === "" || module[0]!.startsWith("-") || name === "") return undefined;
  const classes = ofClass === -1 ? [] : parts.slice(ofClass);
  return commandOf(["pytest", [`${module.join("/")}.py`, ...classes, name].join("::")]);
}
