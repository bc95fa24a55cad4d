import { readFileSync } from "node:fs";

/** One measured figure, as a line of JSON on stdout. */
export function print(figure, value, unit, aim) {
  console.log(
    JSON.stringify({
      figure,
      value: typeof value === "number" ? Number(value.toFixed(digitsOf(value))) : value,
      unit,
      ...(aim === undefined ? {} : { aim }),
    }),
  );
}

function digitsOf(value) {
  if (value < 10) return 2;
  return value < 100 ? 1 : 0;
}

/** The middle of some numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A complete container document with every kind of field in its resource_spec. */
export function document(name, cpu = 1) {
  return {
    name,
    source: "external_container",
    source_config: {
      resource_spec: {
        min_scale: 1,
        max_scale: 4,
        cpu,
        cpu_limit: 2 * cpu,
        memory_mb: 1024,
        queue_cpu: 1,
        db_cpu: 1,
        db_memory_mb: 2048,
        labels: { team: "agents", tier: "gold" },
        volumes: [{ name: "cache", emptyDir: {} }],
        volume_mounts: [{ name: "cache", mountPath: "/cache" }],
        sidecars: [
          {
            name: "proxy",
            image: "registry.example.com/proxy:1",
            env: [{ name: "TOKEN", value: "s3cret" }],
            volumeMounts: [{ name: "cache", mountPath: "/c" }],
          },
        ],
        init_containers: [
          { name: "migrate", image: "registry.example.com/migrate:1", command: ["migrate", "up"] },
        ],
      },
    },
    source_revision_config: { image_uri: `registry.example.com/${name}@sha256:${"a".repeat(64)}` },
    secrets: [
      { name: "KEY", value: "v1" },
      { name: "DB_URL", value: "postgres://x" },
    ],
  };
}

/** Most memory of this process, in KiB. Linux counts in maxRSS what the parent held when it started the process. */
export function peakKib() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

/** The import of it, for a process that is given its code. */
export const IMPORT_PEAK = `import { peakKib } from ${JSON.stringify(import.meta.url)};\n`;
