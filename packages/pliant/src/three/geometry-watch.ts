import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Mesh, SkinnedMesh } from 'three';
import { InputError } from '../mesh/input-error.ts';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** An attribute as it was read: the array that holds it, and how often `needsUpdate` had been set. */
interface Version {
  readonly name: string;
  readonly attribute: Attribute | null;
  readonly array: unknown;
  readonly version: number;
}

interface Range {
  readonly start: number;
  readonly count: number;
}

/**
 * Remembers a geometry as it was read, and notices when it has changed since: another geometry, attribute or array, a
 * raised `needsUpdate`, another draw range, group or skeleton. Numbers that are changed without `needsUpdate` are not
 * noticed, by three.js neither.
 */
export class GeometryWatch {
  readonly #object: Mesh;
  readonly #where: string;
  readonly #followsVertices: boolean;
  readonly #geometry: BufferGeometry;
  readonly #vertexCount: number;
  readonly #index: Version;
  readonly #position: Version;
  readonly #skin: readonly Version[];
  readonly #targets: readonly Version[];
  readonly #drawRange: Range;
  readonly #groups: readonly Range[];
  readonly #hasMaterials: boolean;
  readonly #isRelative: boolean;
  readonly #boneCount: number;

  /** With `followsVertices`, positions and morph targets may change: they are read in every update. */
  constructor(object: Mesh, where: string, followsVertices: boolean) {
    const { geometry } = object;
    this.#object = object;
    this.#where = where;
    this.#followsVertices = followsVertices;
    this.#geometry = geometry;
    this.#vertexCount = geometry.getAttribute('position').count;
    this.#index = versionOf('index', geometry.index);
    this.#position = versionOf('position', positionOf(geometry));
    this.#skin = SKIN.map((name) => versionOf(name, geometry.getAttribute(name) as Attribute | undefined));
    this.#targets = targetsOf(geometry).map((target, k) => versionOf(`morph target ${k}`, target));
    this.#drawRange = { ...geometry.drawRange };
    this.#groups = geometry.groups.map(({ start, count }) => ({ start, count }));
    this.#hasMaterials = Array.isArray(object.material);
    this.#isRelative = geometry.morphTargetsRelative;
    this.#boneCount = boneCountOf(object);
  }

  /** Throws InputError when what was read is no longer what three.js draws. */
  check(): void {
    const object = this.#object,
      { geometry } = object;
    if (geometry !== this.#geometry) this.#refuse('its geometry is another one');
    const count = positionOf(geometry)?.count ?? 0;
    if (count !== this.#vertexCount) this.#refuse(`it has ${count} vertices instead of ${this.#vertexCount}`);
    this.#checkVersion(this.#index, geometry.index, false);
    for (let k = 0; k < SKIN.length; k++) {
      this.#checkVersion(this.#skin[k], geometry.getAttribute(SKIN[k]) as Attribute | undefined, false);
    }
    if (boneCountOf(object) !== this.#boneCount) this.#refuse('its skeleton has another number of bones');
    this.#checkLayout();
    if (!this.#followsVertices) this.#checkVertices();
  }

  #checkVertices(): void {
    const { geometry } = this.#object;
    this.#checkVersion(this.#position, positionOf(geometry), true);
    const targets = targetsOf(geometry);
    if (targets.length !== this.#targets.length) this.#refuse('it has another number of morph targets');
    for (let k = 0; k < targets.length; k++) this.#checkVersion(this.#targets[k], targets[k], true);
    if (geometry.morphTargetsRelative !== this.#isRelative) this.#refuse('morphTargetsRelative was changed');
  }

  #checkVersion(before: Version, attribute: Attribute | null | undefined, canBeFollowed: boolean): void {
    if (attribute == null) {
      if (before.attribute !== null) this.#refuse(`its ${before.name} is gone`);
      return;
    }
    const { array, version } = holderOf(attribute);
    if (before.attribute === attribute && before.array === array && before.version === version) return;
    this.#refuse(`its ${before.name} was changed`, canBeFollowed ? FOLLOW : undefined);
  }

  /** Which triangles are drawn. */
  #checkLayout(): void {
    const { drawRange, groups } = this.#geometry;
    if (!areEqual(drawRange, this.#drawRange)) this.#refuse('its drawRange was changed');
    if (Array.isArray(this.#object.material) !== this.#hasMaterials) {
      this.#refuse('it had one material and now has a list, or the other way round');
    }
    if (!this.#hasMaterials) return;
    if (groups.length !== this.#groups.length) this.#refuse('its groups were changed');
    for (let k = 0; k < groups.length; k++) {
      if (!areEqual(groups[k], this.#groups[k])) this.#refuse('its groups were changed');
    }
  }

  #refuse(change: string, remedy = REMEDY): never {
    throw new InputError('mismatch', `${this.#where}: ${change} since its body was made; ${remedy}`);
  }
}

const SKIN = ['skinIndex', 'skinWeight'];
const REMEDY = 'dispose of that body and make another one';
const FOLLOW = 'make the body with { dynamic: true }, and vertices that move are followed';

function versionOf(name: string, attribute: Attribute | null | undefined): Version {
  if (attribute == null) return { name, attribute: null, array: null, version: 0 };
  const { array, version } = holderOf(attribute);
  return { name, attribute, array, version };
}

/** Interleaved attributes share one array and one version. */
function holderOf(attribute: Attribute) {
  return 'data' in attribute ? attribute.data : attribute;
}

function positionOf(geometry: BufferGeometry): Attribute | undefined {
  return geometry.getAttribute('position') as Attribute | undefined;
}

const NONE: readonly Attribute[] = [];

function targetsOf({ morphAttributes }: BufferGeometry): readonly Attribute[] {
  return (morphAttributes.position as Attribute[] | undefined) ?? NONE;
}

function areEqual(a: Range, b: Range): boolean {
  return a.start === b.start && a.count === b.count;
}

function boneCountOf(object: Mesh): number {
  return (object as SkinnedMesh).skeleton?.bones.length ?? 0;
}
