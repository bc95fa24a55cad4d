/** A secret as it may turn up: whole, escaped, encoded, and each of its lines. */
export function formsOf(secret: string): string[] {
  const lines = secret
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST);
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [
    ...new Set([
      secret,
      json,
      JSON.stringify(json).slice(1, -1),
      encodeURIComponent(secret),
      encodeURI(secret),
      base64,
      base64.replaceAll("+", "-").replaceAll("/", "_"),
      ...["&quot;", "&#34;"].flatMap((double) =>
        ["'", "&#39;", "&#x27;"].map((single) =>
          secret
            .replaceAll("&", "&amp;")
            .replaceAll("<", "&lt;")
            .replaceAll(">", "&gt;")
            .replaceAll('"', double)
            .replaceAll("'", single),
        ),
      ),
      secret.replaceAll("\\", "\\\\").replaceAll("'", "\\'"),
      secret.replaceAll("\\", "\\\\").replaceAll('"', '\\"'),
      ...lines,
    ]),
  ];
}

/** Anything shorter may stand in a text by chance. */
const SHORTEST = 8;
const SECRET_NAME =
  /(^|[-_])(API[-_]?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PAT|PEM|CREDENTIALS?)S?\d*($|[-_])/i;
/** Inputs whose names only sound like it: neither holds a secret. */
const ORDINARY = new Set([
  "INPUT_COMMENT-KEY",
  "INPUT_SECRETS-UNKNOWN",
  "AGENT_DEPLOY_COMMENT_KEY",
  "AGENT_DEPLOY_SECRETS_UNKNOWN",
]);

/**
 * In an address. The scheme is looked for from its end: from its start, a long word would be read
 * once from each letter.
 */
const PASSWORD = /:\/\/(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*:([^\s/@]+)@/gi;

/**
 * The values of an environment that nobody may see, by the name of their variable: secret by name,
 * or the password in an address.
 */
export function secretsOf(env: Readonly<Record<string, string>>): [name: string, secret: string][] {
  return Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const passwords = [...value.matchAll(PASSWORD)].map(([, password]) => password!);
    const secrets =
      SECRET_NAME.test(name) && !ORDINARY.has(name)
        ? [value, value.trim(), ...passwords]
        : passwords;
    return [...new Set(secrets)]
      .filter((secret) => secret.length >= SHORTEST)
      .map((secret) => [name, secret]);
  });
}

/** The log as the runner shows it: it takes the lines that mask a value for itself. */
export function shownLog({ stdout }: { readonly stdout: string }): string {
  return stdout
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::"))
    .join("\n");
}

/** Throws with the names of the variables whose values are in what a process left, never with the values. */
export function refuseLeaks(
  env: Readonly<Record<string, string>>,
  sinks: Readonly<Record<string, string>>,
): void {
  const found = secretsOf(env).flatMap(([name, secret]) =>
    Object.entries(sinks)
      .filter(([, text]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([sink]) => `the value of ${name} stands in ${sink}`),
  );
  if (found.length > 0) throw new Error(`a secret leaked: ${[...new Set(found)].join("; ")}`);
}
