/** What a new user did wrong, and what has to be said about it. */
export interface Mistake {
  /** Of the list that was made when people tried the tool for the first time. */
  readonly number: number;
  readonly mistake: string;
  /** The workspace; absent: an empty folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The Action's inputs, where the mistake is made in a workflow; `args` is not used then. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** What the key reaches: an emulator (with what is live there), or a server that is no such service. */
  readonly service?: Service;
  readonly code: number;
  /** Where the mistake is: a place in a file, or the input, variable or word that it was made with. */
  readonly place: RegExp;
  /** What is wrong. */
  readonly what: RegExp;
  /** What to do or to write. */
  readonly fix: RegExp;
}

export type Service =
  | "emulator"
  | "refused"
  | "no name"
  | "not TLS"
  | {
      readonly status: number;
      readonly type?: string;
      readonly body?: string;
      readonly location?: string;
    }
  | {
      readonly live: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly integrations: number }
  | { readonly revision: "build-failed" | "stuck" };

const SHA = "a".repeat(64);
export const CONTAINER = `name: good
source: external_container
source_revision_config: { image_uri: "registry.example.com/a@sha256:${SHA}" }
`;
export const REPOSITORY = `name: good
source: repohost
source_config:
  integration_id: 11111111-1111-4111-8111-111111111111
  repo_url: https://git.example.com/acme/agents
  deployment_type: prod
source_revision_config:
  repo_ref: main
  graph_config_path: graphs/support.json
`;
/** The text with one part replaced. */
export const edit = (text: string, from: string, to: string): string =>
  text.replace(from, () => to);
