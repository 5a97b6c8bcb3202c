import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type CertificatesFile,
  isStored,
  readCertificates,
  readModes,
  readStored,
  type StoredData,
  type StoredModes,
} from 'pliant/io';
import { farthest, modesTable } from '../modes/modes-report.ts';
import { coloursFor } from '../output/colours.ts';
import { grouped, printable, table } from '../output/text.ts';
import { readBytes } from '../scene/read-file.ts';

/** A file that Pliant has written, whole and undamaged. */
export interface StoredInfo {
  readonly file: string; // base name
  readonly size: number; // bytes
  readonly formatVersion: number;
  readonly data: StoredData;
  readonly modes: StoredModes | undefined; // of a file of modes
  readonly certificates: CertificatesFile | undefined; // of a file of certificates
}

const SIGNATURE = 8; // bytes that `isStored` looks at
const VERSION_AT = 8;

/** Undefined for files that are not Pliant's, and for what is no file. */
export async function openStored(path: string): Promise<StoredInfo | undefined> {
  if (!(await beginsAsStored(path))) return undefined;
  const bytes = await readBytes(path);
  const data = readStored(bytes, path);
  return {
    file: basename(path),
    size: bytes.length,
    formatVersion: new DataView(bytes.buffer, bytes.byteOffset).getUint32(VERSION_AT, true),
    data,
    modes: data.kind === 'modes' ? readModes(bytes, path) : undefined,
    certificates: data.kind === 'certificates' ? readCertificates(bytes, path) : undefined,
  };
}

async function beginsAsStored(path: string): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      if (!(await handle.stat()).isFile()) return false;
      const { buffer, bytesRead } = await handle.read(new Uint8Array(SIGNATURE), 0, SIGNATURE, 0);
      return isStored(buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return false; // whoever opens it next says why
  }
}

export function storedJson({ file, size, formatVersion, data, modes, certificates }: StoredInfo): object {
  return {
    version: 1,
    file,
    size,
    kind: data.kind,
    formatVersion,
    madeFrom: data.madeFrom,
    settings: data.settings,
    certificates:
      certificates?.records.map(({ kind, madeFrom, body, options, bytes }) => {
        return { kind, madeFrom, ...body, options, size: bytes.length };
      }) ?? null,
    arrays: Object.entries(data.arrays).map(([name, values]) => ({
      name,
      type: typeName(values),
      length: values.length,
    })),
    modes:
      modes === undefined
        ? null
        : { frequencies: modes.frequencies ? Array.from(modes.frequencies) : null, count: modes.modes.count },
  };
}

export function storedText(info: StoredInfo): string {
  const { file, size, formatVersion, data, modes, certificates } = info;
  const { bold, dim } = coloursFor(process.stdout);
  const head = `${data.kind}, format ${formatVersion}, ${grouped(size)} bytes`;
  const lines = [`${bold(printable(file, 100))}  ${dim(head)}`, ''];
  if (certificates !== undefined) {
    const [heading, ...rows] = certificateTable(certificates);
    lines.push(`made for ${printable(certificates.files.join(', '), 100)}`, '', dim(heading), ...rows);
    return `${lines.join('\n')}\n`;
  }
  const [settingHeading, ...settings] = table(
    ['setting', 'value'],
    [['made from', data.madeFrom], ...settingRows(data.settings)].map((row) =>
      row.map((cell) => printable(cell, 100)),
    ),
  );
  lines.push(dim(settingHeading), ...settings, '');
  const [arrayHeading, ...arrays] = table(
    ['array', 'type', '>numbers'],
    Object.entries(data.arrays).map(([name, values]) => [
      printable(name),
      typeName(values),
      grouped(values.length),
    ]),
  );
  lines.push(dim(arrayHeading), ...arrays);
  if (modes !== undefined) {
    const { displacements, count } = modes.modes;
    const [heading, ...rows] = modesTable(modes, (mode) => farthest(displacements, count, mode));
    lines.push('', dim(heading), ...rows);
  }
  return `${lines.join('\n')}\n`;
}

function certificateTable({ records }: CertificatesFile): string[] {
  return table(
    ['mesh', '>node', '>triangles', 'kind', 'weights', 'made from'],
    records.map(({ kind, madeFrom, body: { name, node, primitive, triangles }, options }) => [
      primitive === null ? printable(name) : `${printable(name)} #${primitive}`,
      node === null ? '–' : String(node),
      grouped(triangles),
      printable(kind),
      printable(String(options.gauge ?? '–')),
      madeFrom.slice(0, 8),
    ]),
  );
}

/** Settings within settings have a dot in their name. */
function settingRows(settings: object, prefix = ''): string[][] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return settingRows(value, `${prefix}${name}.`);
    }
    return [[`${prefix}${name}`, Array.isArray(value) ? value.map(plain).join(', ') : plain(value)]];
  });
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeName(values: StoredData['arrays'][string]): string {
  return values.constructor.name.replace('Array', '').toLowerCase();
}
