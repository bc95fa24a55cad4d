import fc from "../../support/property.ts";

/** As generators make them: long enough that nothing holds one by chance. */
const random = fc.string({
  unit: fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.~+/="),
  minLength: 16,
  maxLength: 40,
});
const [KEY, BEARER, GITHUB, PLAIN, SIDECAR, PASSWORD, TAINTED, LITERAL, QUOTED, LEAF, LINE] = fc
  .sample(random, 11)
  .map((text, n) => `Q${n}${text}9x`) as [string, ...string[]] as string[];

/** Everything that a run of the law is given and nobody may see, by what it is. */
export const SECRETS = {
  "the api key": KEY!,
  "the bearer token": BEARER!,
  "the token of GitHub": GITHUB!,
  "a secret": PLAIN!,
  "a container's variable": SIDECAR!,
  "a password in a URL": encodeURIComponent(PASSWORD!),
  "a variable called NPM_TOKEN": TAINTED!,
  "a literal secret": LITERAL!,
  "a secret with quotes": `${QUOTED!}"'\\<&>ü€ x`,
  "a leaf of JSON": LEAF!,
  "a line of a key": LINE!,
} as const;

/** The secrets by what they are. */
export type SecretName = keyof typeof SECRETS;

/** What the service itself shows to whoever may read a deployment. */
export const SHOWN_BY_SERVICE: readonly SecretName[] = [
  "a secret",
  "a container's variable",
  "a password in a URL",
  "a literal secret",
  "a secret with quotes",
  "a leaf of JSON",
  "a line of a key",
];
const VALUES = {
  PLAIN: SECRETS["a secret"],
  DB_DSN: `postgres://app:${SECRETS["a password in a URL"]}@db.example.com/x`,
  QUOTED: SECRETS["a secret with quotes"],
  ACCOUNT: JSON.stringify({ type: "service_account", client_secret: SECRETS["a leaf of JSON"] }),
  PEM: `-----BEGIN PRIVATE KEY-----\n${SECRETS["a line of a key"]}\n-----END PRIVATE KEY-----\n`,
};
export const ENV: Readonly<Record<string, string>> = {
  ...VALUES,
  SIDECAR: SECRETS["a container's variable"],
  NPM_TOKEN: SECRETS["a variable called NPM_TOKEN"],
};

const DIGEST = (letter: string): string => `sha256:${letter.repeat(64)}`;
const resourceSpec = (sidecar: string, token: string): object => ({
  min_scale: 1,
  init_containers: [
    { name: "fetch", image: `r.example.com/f@${DIGEST("b")}`, args: [`--token=${token}`] },
  ],
  sidecars: [
    {
      name: "proxy",
      image: `r.example.com/p@${DIGEST("b")}`,
      env: [{ name: "A", value: sidecar }],
    },
  ],
});

/** A deployment that holds every secret, as a spec; the same as JSON is YAML. */
export function toSpec(name = "law-agent", deploy: object = {}): string {
  return `${JSON.stringify(
    {
      name,
      source: "external_container",
      source_config: { resource_spec: resourceSpec("${SIDECAR}", "${NPM_TOKEN}") },
      source_revision_config: { image_uri: `r.example.com/a@${DIGEST("a")}` },
      secrets: [
        ...Object.keys(VALUES),
        { name: "LITERAL", value: SECRETS["a literal secret"].replaceAll("$", "$$$$") },
      ],
      deploy,
    },
    null,
    2,
  )}\n`;
}

/** The same, with an edit that makes a revision. */
export const toChanged = (name?: string, deploy?: object): string =>
  toSpec(name, deploy).replace('"min_scale": 1', '"min_scale": 2');

/** Built from a repository: what a variable with the name of a secret holds goes into commands and addresses. */
export function toRepositorySpec(command = "npm ci"): string {
  return `name: law-builder
source: repohost
source_config:
  repo_url: http://127.0.0.1:1/acme/agents
  deployment_type: prod
  build_on_push: false
  install_command: ${command} --//registry/:_authToken=\${NPM_TOKEN}
source_revision_config: { repo_ref: main, graph_config_path: graphs/support.json }
secrets: [PLAIN]
`;
}

/** The body that makes the deployment of `toSpec` at the service. */
export function toBody(name = "law-agent"): object {
  return {
    name,
    source: "external_container",
    source_config: {
      resource_spec: resourceSpec(ENV["SIDECAR"]!, ENV["NPM_TOKEN"]!),
    },
    source_revision_config: { image_uri: `r.example.com/a@${DIGEST("a")}` },
    secrets: [
      ...Object.entries(VALUES).map(([key, value]) => ({ name: key, value })),
      { name: "LITERAL", value: SECRETS["a literal secret"] },
    ],
  };
}

/** The body that makes the deployment of `toRepositorySpec`. */
export function toRepositoryBody(command: string): object {
  return {
    name: "law-builder",
    source: "repohost",
    source_config: {
      repo_url: "http://127.0.0.1:1/acme/agents",
      deployment_type: "prod",
      build_on_push: false,
      install_command: command,
    },
    source_revision_config: { repo_ref: "main", graph_config_path: "graphs/support.json" },
    secrets: [{ name: "PLAIN", value: ENV["PLAIN"] }],
  };
}

/** A script that prints what it finds in every form it knows. */
export const PRINTING =
  'printf "%s\\n" "$PLAIN" "$NPM_TOKEN" "$QUOTED" "$PEM" "$ACCOUNT"; printf "%s" "$DB_DSN" | base64 -w0; exit 3';

/** Where a spec takes each from: the variable's name, or the text itself. */
const WRITTEN_AS: Readonly<Partial<Record<SecretName, string>>> = {
  "a secret": "PLAIN",
  "a container's variable": "SIDECAR",
  "a password in a URL": "DB_DSN",
  "a variable called NPM_TOKEN": "NPM_TOKEN",
  "a literal secret": SECRETS["a literal secret"],
  "a secret with quotes": "QUOTED",
  "a leaf of JSON": "ACCOUNT",
  "a line of a key": "PEM",
};

/** The secrets that a spec asks for. */
export const askedBy = (spec: string): readonly SecretName[] =>
  (Object.keys(WRITTEN_AS) as SecretName[]).filter((name) => spec.includes(WRITTEN_AS[name]!));

/** Secrets in the ways that services and their logs write them. */
export const tell = (names: readonly SecretName[]): readonly string[] =>
  names
    .map((name): string => SECRETS[name])
    .flatMap((text) => [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString("base64"),
      JSON.stringify(text),
      text
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&#34;")
        .replaceAll("'", "&#39;"),
    ]);
