import { type Body, checkBody, isBody } from '../../body/body.ts';
import type { HandlesKind } from '../../deform/handles.ts';
import { checkObject, describe, quote } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';

/** Names of the proofs that can be prepared. */
export const CULLING_KINDS = ['none', 'subspace', 'blend', 'reduced-energy', 'energy'] as const;
export type CullingKind = (typeof CULLING_KINDS)[number];

/** What a choice depends on, where there is no body yet. */
export interface CullingSubject {
  readonly triangles: number;
  /**
   * What a pose is: one matrix for the whole; weights of modes; handles, that is joints (with modes or without) or
   * meshless nodes; control points of a cage or of tetrahedra; or the position of every vertex.
   */
  readonly movedBy: 'matrix' | 'modes' | 'handles' | 'cage' | 'vertices';
}

/** What the certificates are for. */
export interface CullingUse {
  /** Default: 'auto'. */
  kind?: 'auto' | CullingKind;
  /** About how many poses or motions will be asked about. Default: no end in sight. */
  queries?: number;
  /** True when these are motions. Default: false. */
  continuous?: boolean;
}

export interface CullingChoice {
  readonly kind: CullingKind;
  /** Why, in words for people. */
  readonly reason: string;
}

type Proof = Exclude<CullingKind, 'none'>;

/*
 * Measured on characters of 500 to 40,000 triangles, faces, springs, cloth and recorded motion, one thread. A query of
 * a pose takes 20 to 50 ns per triangle, of which proofs save half or less, and more only of calm cloth; motions take two
 * or three times as long, and proofs save about as much of that. Preparing takes, per triangle, 0.06 to 0.2 ms (blend),
 * 0.03 to 2 (subspace), 0.9 to 1.2 (energy) and 0.5 to 0.7 (reduced energy). Both grow with the triangles, so what counts
 * is the number of queries.
 */
const LEAST_TRIANGLES: Readonly<Record<Proof, number>> = {
  subspace: 4_000,
  blend: 4_000,
  'reduced-energy': 30_000, // with fewer it proves no more than blend
  energy: 10_000,
};
/** Queries after which preparing has paid even where it gains little: of poses, of motions. */
const PAYS_AFTER: Readonly<Record<Proof, readonly [number, number]>> = {
  subspace: [20_000, 10_000],
  blend: [20_000, 15_000],
  'reduced-energy': [200_000, Infinity], // over motions blend proves as much
  energy: [100_000, 40_000],
};

const WHY: Readonly<Record<Proof, string>> = {
  subspace: 'it is moved by modes alone, so that the size of their weights proves parts of it free',
  blend: 'it is moved by handles whose weights change little within a part',
  'reduced-energy':
    'it is moved by handles or a cage, and large, and asked about so often that the longest preparation pays',
  energy: 'nothing is known of its motion but the vertices, and parts that are bent little cannot touch',
};

/**
 * The proofs that suit a body, by counts alone: how it is moved, how many triangles it has, and how often it will be
 * asked about. See `prepareCertificates`, which also looks at the rest shape.
 */
export function chooseCertificate(subject: Body | CullingSubject, use: CullingUse = {}): CullingChoice {
  const { triangles, movedBy } = isBody(subject) ? subjectOf(subject) : checkSubject(subject);
  checkUse(use);
  const { kind = 'auto', queries = Infinity, continuous = false } = use;
  if (kind !== 'auto') {
    const problem = kind === 'none' ? undefined : whyNot(kind, movedBy);
    if (problem !== undefined) throw new InputError('unsupported', problem);
    return { kind, reason: 'asked for' };
  }
  if (movedBy === 'matrix') return none('it keeps its shape');
  if (movedBy === 'cage' && continuous) return none('no proofs pay for the motions of a cage');
  const fit = suggest({ triangles, movedBy }, queries, continuous);
  const least = LEAST_TRIANGLES[fit];
  if (triangles < least) {
    const size = `${counted(triangles, 'triangle')} are searched as quickly as proofs are tried`;
    return none(`${size}: ${fit} pays from ${grouped(least)} on`);
  }
  const after = PAYS_AFTER[fit][continuous ? 1 : 0];
  if (queries < after) {
    const what = continuous ? 'motions' : 'poses';
    return none(`preparing ${fit} takes longer than it saves in fewer than ${grouped(after)} ${what}`);
  }
  return { kind: fit, reason: WHY[fit] };
}

function suggest({ triangles, movedBy }: CullingSubject, queries: number, continuous: boolean): Proof {
  if (movedBy === 'vertices') return 'energy';
  if (movedBy === 'modes') return 'subspace';
  if (movedBy === 'cage') return 'reduced-energy'; // blend says next to nothing where control points have no turn
  const isWorthMost =
    triangles >= LEAST_TRIANGLES['reduced-energy'] &&
    !continuous &&
    queries >= PAYS_AFTER['reduced-energy'][0];
  return isWorthMost ? 'reduced-energy' : 'blend';
}

/** Undefined when the body can have such proofs. */
function whyNot(kind: Proof, movedBy: CullingSubject['movedBy']): string | undefined {
  if (movedBy === 'matrix') return `a body that keeps its shape has no use for ${kind} certificates`;
  if (kind === 'subspace' && movedBy !== 'modes')
    return 'subspace certificates are for bodies moved by modes alone';
  if (kind !== 'energy' && movedBy === 'vertices') {
    return `${kind} certificates are for bodies moved by a skin, modes, meshless nodes or a cage`;
  }
  return undefined;
}

const MOVED_BY: Readonly<Record<HandlesKind, CullingSubject['movedBy']>> = {
  rest: 'matrix',
  modes: 'modes',
  skin: 'handles',
  'skin-modes': 'handles',
  meshless: 'handles',
  embedded: 'cage',
};

/** How a body is moved, and how many triangles it has. */
export function subjectOf(body: Body): CullingSubject {
  checkBody('the body', body);
  const triangles = body.mesh.triangleCount;
  const { handles } = body.deformer;
  return { triangles, movedBy: handles === undefined ? 'vertices' : MOVED_BY[handles.kind] };
}

function none(reason: string): CullingChoice {
  return { kind: 'none', reason };
}

function checkSubject(subject: CullingSubject): CullingSubject {
  checkObject('the body', subject);
  const { triangles, movedBy } = subject;
  if (!(typeof triangles === 'number' && triangles >= 0)) {
    throw new InputError('wrong-type', `triangles must be a number, not ${describe(triangles)}`);
  }
  if (!['matrix', 'modes', 'handles', 'cage', 'vertices'].includes(movedBy)) {
    const names = 'matrix, modes, handles, cage or vertices';
    throw new InputError('wrong-type', `movedBy must be ${names}, not ${quote(movedBy)}`);
  }
  return subject;
}

function checkUse(use: CullingUse): void {
  checkObject('options', use);
  const { kind = 'auto', queries, continuous } = use;
  if (kind !== 'auto' && !CULLING_KINDS.includes(kind)) {
    const names = ['auto', ...CULLING_KINDS].join(', ');
    throw new InputError('bad-option', `kind must be one of ${names}, not ${quote(kind)}`);
  }
  if (queries !== undefined && !(typeof queries === 'number' && queries >= 0)) {
    throw new InputError('bad-option', `queries must be a number of at least 0, not ${quote(queries)}`);
  }
  if (continuous !== undefined && typeof continuous !== 'boolean') {
    throw new InputError('bad-option', `continuous must be true or false, not ${quote(continuous)}`);
  }
}

function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** 12,345 on every machine. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
