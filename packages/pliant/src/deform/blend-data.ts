import type { KernelMemory } from '../kernels/memory.ts';
import { checkNumbers, checkObject, describe, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ResidentMesh, SharedPart } from '../tree/resident-mesh.ts';

/** Which joints move each source vertex, and how much. Weights are used as they are: they need not add up to 1. */
export interface Skin {
  readonly jointCount: number;
  /** Entries per source vertex in the two arrays below; those with weight 0 are ignored. */
  readonly influences: number;
  readonly joints: NumberArray;
  readonly weights: NumberArray;
}

/** Displacements of every source vertex, one set after the other: morph targets, or the columns of u = Uq. */
export interface Modes {
  readonly count: number;
  readonly displacements: NumberArray; // count × 3 per source vertex
}

/** Lists of entries per point in kernel memory; see Kernels.skinPoints and Kernels.morphPoints. */
export interface BlendList {
  readonly start: number;
  readonly index: number; // joints or modes
  readonly value: number; // weights or displacements
  readonly entryCount: number;
}

/** The lists of a skin and of modes on one mesh. Bodies of a mesh with equal weights and displacements share them. */
export class BlendLists implements SharedPart {
  readonly skin: BlendList | undefined;
  readonly modes: BlendList | undefined;
  /** What others prepare from the lists, by name; freed with them. */
  readonly parts = new Map<string, { free(): void }>();
  users = 0;
  readonly #memory: KernelMemory;
  readonly #jointCount: number;
  readonly #modeCount: number;

  /** Found again, or placed. Checks everything either way. */
  static share(
    memory: KernelMemory,
    mesh: ResidentMesh,
    skin: Skin | undefined,
    modes: Modes | undefined,
  ): BlendLists {
    const weights = skin && readSkin(mesh, skin),
      displacements = modes && readModes(mesh, modes);
    const jointCount = skin?.jointCount ?? 0,
      modeCount = modes?.count ?? 0;
    const found = (mesh.shared as BlendLists[]).find(
      (lists) =>
        lists.#jointCount === jointCount &&
        lists.#modeCount === modeCount &&
        areEqual(memory, weights, lists.skin) &&
        areEqual(memory, displacements, lists.modes),
    );
    const lists = found ?? new BlendLists(memory, weights, displacements, jointCount, modeCount);
    if (!found) mesh.shared.push(lists);
    lists.users++;
    return lists;
  }

  private constructor(
    memory: KernelMemory,
    weights: EntryList | undefined,
    displacements: EntryList | undefined,
    jointCount: number,
    modeCount: number,
  ) {
    this.#memory = memory;
    this.#jointCount = jointCount;
    this.#modeCount = modeCount;
    this.skin = weights?.place(memory);
    this.modes = displacements?.place(memory);
  }

  /** One body less. */
  release(mesh: ResidentMesh): void {
    if (--this.users > 0) return;
    const k = mesh.shared.indexOf(this);
    if (k < 0) return; // freed with the mesh
    mesh.shared.splice(k, 1);
    this.free();
  }

  free(): void {
    for (const part of this.parts.values()) part.free();
    this.parts.clear();
    if (this.skin) freeBlendList(this.#memory, this.skin);
    if (this.modes) freeBlendList(this.#memory, this.modes);
  }
}

function areEqual(
  memory: KernelMemory,
  entries: EntryList | undefined,
  list: BlendList | undefined,
): boolean {
  return entries === undefined || list === undefined ? entries === list : entries.equals(memory, list);
}

function readSkin(mesh: ResidentMesh, skin: Skin): EntryList {
  const { jointCount, influences } = skin;
  checkSkin(mesh, skin);
  const entries = new EntryList(mesh, 1);
  entries.fill((vertex, add) => {
    for (let k = vertex * influences; k < (vertex + 1) * influences; k++) {
      if (skin.weights[k] === 0) continue;
      const joint = skin.joints[k];
      if (!(Number.isInteger(joint) && joint >= 0 && joint < jointCount)) {
        throw new InputError(
          'index-out-of-range',
          `vertex ${vertex} is moved by joint ${joint}, but the skin has ${jointCount} joints`,
        );
      }
      add(joint, skin.weights[k], 0, 0);
    }
  }, 'skin weights');
  return entries;
}

function readModes(mesh: ResidentMesh, modes: Modes): EntryList {
  checkModes(mesh, modes);
  const stride = 3 * mesh.mesh.sourceVertexCount;
  const { displacements, count } = modes;
  const entries = new EntryList(mesh, 3);
  entries.fill((vertex, add) => {
    for (let m = 0; m < count; m++) {
      const o = m * stride + 3 * vertex;
      const x = displacements[o],
        y = displacements[o + 1],
        z = displacements[o + 2];
      if (x !== 0 || y !== 0 || z !== 0) add(m, x, y, z);
    }
  }, 'mode displacements');
  return entries;
}

function freeBlendList(memory: KernelMemory, { start, index, value }: BlendList): void {
  for (const address of [start, index, value]) memory.free(address);
}

type AddEntry = (index: number, x: number, y: number, z: number) => void;

/** Gathers the entries of each point from its source vertex, and checks that welded vertices agree. */
class EntryList {
  readonly #mesh: ResidentMesh;
  readonly #width: number; // values per entry
  readonly #start: Uint32Array;
  #index: number[] = [];
  #value: number[] = [];

  constructor(mesh: ResidentMesh, width: number) {
    this.#mesh = mesh;
    this.#width = width;
    this.#start = new Uint32Array(mesh.pointCount + 1);
  }

  fill(read: (vertex: number, add: AddEntry) => void, what: string): void {
    const { mesh, vertexOfPoint, pointCount } = this.#mesh;
    const add: AddEntry = (index, x, y, z) => {
      this.#index.push(index);
      this.#value.push(x);
      if (this.#width === 3) this.#value.push(y, z);
    };
    const pointOfVertex = new Int32Array(mesh.vertexCount).fill(-1);
    for (let p = 0; p < pointCount; p++) {
      pointOfVertex[vertexOfPoint[p]] = p;
      read(mesh.sourceVertex[vertexOfPoint[p]], add);
      this.#start[p + 1] = this.#index.length;
    }
    this.#checkWelds(read, pointOfVertex, what);
  }

  place(memory: KernelMemory): BlendList {
    const count = this.#index.length;
    const sizes = [4 * this.#start.length, 4 * count, 8 * this.#width * count];
    const [start, index, value] = memory.allocateAll(...sizes);
    memory.u32.set(this.#start, start >>> 2);
    memory.u32.set(this.#index, index >>> 2);
    memory.f64.set(this.#value, value >>> 3);
    return { start, index, value, entryCount: count };
  }

  /** True when a placed list holds the same. */
  equals({ u32, f64 }: KernelMemory, { start, index, value, entryCount }: BlendList): boolean {
    if (entryCount !== this.#index.length) return false;
    for (let p = 0; p < this.#start.length; p++) if (u32[(start >>> 2) + p] !== this.#start[p]) return false;
    for (let k = 0; k < entryCount; k++) if (u32[(index >>> 2) + k] !== this.#index[k]) return false;
    for (let k = 0; k < this.#value.length; k++) if (f64[(value >>> 3) + k] !== this.#value[k]) return false;
    return true;
  }

  /** A vertex that was welded to another one has to move with it. */
  #checkWelds(read: (vertex: number, add: AddEntry) => void, pointOfVertex: Int32Array, what: string): void {
    const { mesh } = this.#mesh;
    for (let source = 0; source < mesh.sourceVertexCount; source++) {
      const welded = mesh.weldedVertex[source];
      const first = mesh.sourceVertex[welded],
        p = pointOfVertex[welded];
      if (first === source || p < 0) continue;
      let k = this.#start[p],
        isEqual = true;
      read(source, (index, x, y, z) => {
        isEqual &&= k < this.#start[p + 1] && this.#index[k] === index && this.#value[this.#width * k] === x;
        if (this.#width === 3) isEqual &&= this.#value[3 * k + 1] === y && this.#value[3 * k + 2] === z;
        k++;
      });
      if (isEqual && k === this.#start[p + 1]) continue;
      throw new InputError(
        'mismatch',
        `vertices ${first} and ${source} were welded but have different ${what}; ` +
          'give these as attributes to createTriangleMesh',
      );
    }
  }
}

function checkSkin({ mesh }: ResidentMesh, skin: Skin): void {
  checkObject('skin', skin);
  const { jointCount, influences, joints, weights } = skin;
  checkWhole('skin.jointCount', jointCount, 1, 65536);
  checkWhole('skin.influences', influences, 1, 64);
  checkNumbers('skin.joints', joints, influences * mesh.sourceVertexCount);
  checkNumbers('skin.weights', weights, influences * mesh.sourceVertexCount);
}

function checkModes({ mesh }: ResidentMesh, modes: Modes): void {
  checkObject('modes', modes);
  checkWhole('modes.count', modes.count, 1, 65536);
  checkNumbers('modes.displacements', modes.displacements, modes.count * 3 * mesh.sourceVertexCount);
}

function checkWhole(what: string, value: unknown, low: number, high: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return;
  throw new InputError(
    'bad-option',
    `${what} must be a whole number from ${low} to ${high}, not ${describe(value)}`,
  );
}
