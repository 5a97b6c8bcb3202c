import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** What figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  readonly node: string;
}

export function describeThisMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown processor',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${osName()} (${type()} ${release()})`,
    node: process.version,
  };
}

/** Linux tells its distribution in a file. */
function osName(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'));
    if (name) return name[1];
  } catch {
    // not Linux
  }
  return process.platform;
}
