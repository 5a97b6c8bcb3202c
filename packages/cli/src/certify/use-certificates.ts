import { basename, dirname } from 'node:path';
import { type Body, type Certificate, createEngine, type TriangleMesh } from 'pliant';
import { type SubspaceCertificate, verifyCertificatesAsync } from 'pliant/cull';
import {
  CERTIFICATE_KINDS,
  type CertificateRecord,
  type CertificatesFile,
  certificatesFor,
  isStored,
  matchingRecords,
  readCertificates,
  readStored,
} from 'pliant/io';
import { CommandError, isExpected } from '../command-error.ts';
import { plural } from '../output/text.ts';
import { filesOf, type PartInput } from '../scene/inputs.ts';
import { readBytes } from '../scene/read-file.ts';
import type { Scene } from '../scene/scene.ts';
import { type Actor, createActors } from '../scene/stage.ts';

/** A file of certificates that fits the scene, at least in part. Plain data: workers get it too. */
export interface UsableCertificates {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Finds out how much they prove in each frame, which takes a little time. */
  readonly isMeasured: boolean;
  /** Chooses the frames that are queried without them as well. */
  readonly salt: number;
  /** Kind of each certificate in use, by index of the mesh in the scene. */
  readonly kinds: readonly { readonly mesh: number; readonly kinds: readonly string[] }[];
}

const MODEL = /\.[a-z0-9]+(\.gz)?$/i;

/** `hero.pliant` for `hero.glb`. */
export function besideModel(path: string): string {
  return `${path.replace(MODEL, '')}.pliant`;
}

/** … `walk.pliant` for `walk.obj` with a point cache, and for the frames in the folder `walk`. */
export function besideInput(input: PartInput): string {
  if (input.kind !== 'sequence') return besideModel(input.path);
  const folder = dirname(input.paths[0]);
  return basename(folder) === '.' ? besideModel(input.paths[0]) : `${folder}.pliant`;
}

/**
 * The certificates of the file that is `asked` for; they must fit. Nothing is used unasked: a file beside the model may
 * come from anywhere, so `note` is only told that it is there. `false` asks for none.
 */
export async function openCertificates(
  asked: string | false | undefined,
  scene: Scene,
  isMeasured: boolean,
  note: (text: string) => void,
): Promise<UsableCertificates | undefined> {
  if (asked === false) return undefined;
  if (asked === undefined) {
    const beside = besideInput(scene.inputs[0]);
    if (await holdsCertificates(beside)) note(`${beside} is not used; --certificates ${beside} would use it`);
    return undefined;
  }
  const begin = performance.now();
  const found = await match(asked, await readBytes(asked), scene, isMeasured);
  const { usable, stale, needsModes, nodes, poses } = found;
  if (needsModes) {
    throw new CommandError(
      `${asked}: these certificates are about modes; name the file of modes with --modes`,
    );
  }
  if (stale.length > 0) throw new CommandError(`${asked} is stale: ${listed(stale)}; ${remedy(scene)}`);
  if (usable === undefined)
    throw new CommandError(`${asked}: there is no certificate for a check in this file`);
  const seconds = ((performance.now() - begin) / 1000).toFixed(2);
  note(
    `certificates of ${asked}: verified ${plural(nodes, 'node')}, ${plural(poses, 'pose')} in ${seconds} s`,
  );
  return usable;
}

async function holdsCertificates(path: string): Promise<boolean> {
  try {
    const bytes = await readBytes(path);
    return isStored(bytes) && readStored(bytes, path).kind === 'certificates';
  } catch (error) {
    if (isExpected(error)) return false; // absent, damaged or of another version
    throw error;
  }
}

/** Meshes whose proofs are energies, which need trees of connected patches. */
export function freeMeshes({ meshes }: Scene): Set<number> {
  return new Set([...meshes.keys()].filter((m) => meshes[m].kind === 'free'));
}

/** Gives bodies their certificates; those of one mesh and the same modes share what was prepared. */
export function useCertificates({ path, bytes, kinds }: UsableCertificates, actors: readonly Actor[]): void {
  const file = readCertificates(bytes, path);
  const certified = new Set(kinds.map(({ mesh }) => mesh));
  const known = new Map<TriangleMesh, readonly Certificate[]>();
  for (const { body, index } of actors) {
    if (!certified.has(index)) continue;
    const shared = known.get(body.mesh)?.map((certificate) => shareCertificate(certificate, body));
    const certificates = shared?.every((found) => found !== undefined)
      ? shared
      : certificatesFor(file, body, { verify: false }); // it was when the file was opened
    known.set(body.mesh, certificates);
    body.setCertificates(certificates);
  }
}

/** The certificate of another body of the same mesh and modes for this one; undefined where that cannot be. */
export function shareCertificate(certificate: Certificate, body: Body): Certificate | undefined {
  try {
    return 'forBody' in certificate ? (certificate as SubspaceCertificate).forBody(body) : undefined;
  } catch (error) {
    if (isExpected(error)) return undefined; // other modes
    throw error;
  }
}

function remedy({ inputs: [input] }: Scene): string {
  return `\`pliant certify ${argumentsOf(input)}\` makes it anew`;
}

function argumentsOf(input: PartInput): string {
  if (input.kind === 'sequence') return dirname(input.paths[0]);
  return input.kind === 'modal' ? `${input.path} --modes ${input.modes}` : filesOf(input).join(' ');
}

interface Match {
  readonly usable: UsableCertificates | undefined;
  readonly stale: readonly string[];
  readonly needsModes: boolean;
  readonly nodes: number; // that were verified
  readonly poses: number;
}

/** Reads the certificates of a body and looks for counterexamples; those of bodies made alike are the same. */
async function verify(
  file: CertificatesFile,
  body: Body,
  total: { nodes: number; poses: number },
): Promise<void> {
  const certificates = certificatesFor(file, body, { verify: false });
  const { nodes, poses, refutation } = await verifyCertificatesAsync(body, certificates, { slice: 50 });
  if (refutation !== undefined) {
    const what = `the certificate of "${body.name}" is wrong: ${refutation}`;
    throw new CommandError(`${file.fileName}: ${what}; make it anew with \`pliant certify --force\``);
  }
  total.nodes += nodes;
  total.poses += poses;
}

async function match(path: string, bytes: Uint8Array, scene: Scene, isMeasured: boolean): Promise<Match> {
  const file = readCertificates(bytes, path);
  const engine = await createEngine();
  try {
    const kinds: { mesh: number; kinds: string[] }[] = [];
    const total = { nodes: 0, poses: 0 };
    const used = new Set<CertificateRecord>();
    for (const { body, index } of createActors(engine, scene, undefined, freeMeshes(scene))) {
      const found = matchingRecords(file, body);
      if (found.length === 0) continue;
      if (!found.every((record) => used.has(record))) await verify(file, body, total);
      kinds.push({ mesh: index, kinds: found.map(({ kind }) => kind) });
      for (const record of found) used.add(record);
    }
    const salt = Math.floor(Math.random() * 2 ** 32);
    const usable = kinds.length > 0 ? { path, bytes, isMeasured, kinds, salt } : undefined;
    const isModal = scene.inputs.some(({ kind }) => kind === 'modal');
    const needsModes = !isModal && file.records.some(({ options }) => options.for === 'modes');
    return { usable, stale: whyStale(file, used, scene), needsModes, ...total };
  } finally {
    engine.dispose();
  }
}

const MOST_LISTED = 3;

function listed(reasons: readonly string[]): string {
  const more = reasons.length - MOST_LISTED;
  return `${reasons.slice(0, MOST_LISTED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** A line for each certificate that fits no body, saying what has become of its own. Certificates for three.js or programs are left alone. */
function whyStale(
  { records, files }: CertificatesFile,
  used: ReadonlySet<CertificateRecord>,
  scene: Scene,
): string[] {
  const ours = records.filter(
    ({ kind, options }) =>
      CERTIFICATE_KINDS.includes(kind) && options.for !== 'three' && options.for !== 'programs',
  );
  const left = ours.filter((record) => !used.has(record));
  return left.map(({ body: { name, node } }) => {
    const namesake = scene.meshes.find((mesh) => mesh.node === node && mesh.name === name);
    if (namesake !== undefined) return `"${name}" has changed since`;
    return `"${name}" of ${files.join(', ')} is not in this model`;
  });
}
