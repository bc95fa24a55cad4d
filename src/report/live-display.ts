/** A display that moves while deployments are under way; only a terminal has one. */
export interface LiveDisplay {
  /** The status of a deployment from now on; empty before it has one, null once it is over. */
  readonly status: (name: string, status: string | null) => void;
  /** One line of a deployment's build or deploy log, as the service gives it. */
  readonly log: (name: string, line: string) => void;
}
