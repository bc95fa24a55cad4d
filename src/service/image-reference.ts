/** A parsed image reference, as container tools read it. */
export interface ImageReference {
  /** Host and port of the registry API. */
  readonly host: string;
  /** Path of the repository in the registry API. */
  readonly repository: string;
  readonly tag: string;
  /** The part before the tag, as written. */
  readonly written: string;
}

/** Docker Hub's API has another host name than its images. */
const DOCKER_HUB = "registry-1.docker.io";
const HUB_NAMES = ["docker.io", "index.docker.io", "registry.hub.docker.com"];
const REPOSITORY = /^[a-z0-9]+(?:(?:[._/]|__|-{1,3})[a-z0-9]+)*$/u;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/u;
const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/u;

/** Parses a reference by tag; null if it has a digest or is not an image. */
export function parseImage(uri: string): ImageReference | null {
  if (uri.includes("@") || uri.includes("://")) return null;
  const slash = uri.indexOf("/");
  const first = slash < 0 ? "" : uri.slice(0, slash);
  const isHost = first === "localhost" || /[.:]/u.test(first);
  const rest = isHost ? uri.slice(slash + 1) : uri;
  const colon = rest.lastIndexOf(":");
  const path = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? "latest" : rest.slice(colon + 1);
  const written = colon < 0 ? uri : uri.slice(0, uri.length - tag.length - 1);
  if (!REPOSITORY.test(path) || !TAG.test(tag) || (isHost && !HOST.test(first))) return null;
  const onHub = !isHost || HUB_NAMES.includes(first);
  if (!onHub) return { host: first, repository: path, tag, written };
  const repository = path.includes("/") ? path : `library/${path}`;
  return { host: DOCKER_HUB, repository, tag, written };
}

/** Keys under which a Docker config may store the credentials of a host. */
export function configKeysOf(host: string): readonly string[] {
  const own = [host, `https://${host}`, `https://${host}/`, `http://${host}`];
  return host === DOCKER_HUB ? [...own, "https://index.docker.io/v1/", "docker.io"] : own;
}
