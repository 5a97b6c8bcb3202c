import type { Cage, Shape } from 'pliant/edit';
import { groupCorners } from '../../../../cli/src/html/page/smoothing.ts';
import type { ControlInfo } from './edits.ts';
import { innerOf } from './inner-shape.ts';
import { type EditedModel, surfaceOfModel } from './model.ts';

/** What changes of a shape from picture to picture. The arrays go back and forth between worker and page. */
export interface PictureBuffers {
  readonly positions: Float32Array; // three per drawn vertex
  readonly normals: Int16Array; // four per drawn vertex, the last unused
  readonly tints: Uint8Array; // four per drawn vertex: touching, heat, pinned, rigid
}

/** Touching spreads over so many rings of triangles, each with a share of the one before. */
const SPREAD = 2;
const SPREAD_SHARE = 0.62;
const NO_VERTEX = 0xffffffff;
const SHOWN_DEPTH = -0.2; // rows whose point is not further out than this share of an edge of the cage

/**
 * A shape as it is drawn. Vertices are split where the model has creases; index and vertices stay the same from picture
 * to picture.
 */
export class Picture {
  readonly index: Uint32Array;
  readonly vertexCount: number;
  readonly #source: Uint32Array; // drawn vertex -> vertex of the model
  readonly #surfaceVertex: Uint32Array; // drawn vertex -> vertex of the cage's surface
  readonly #group: Uint32Array; // drawn vertex -> normal
  readonly #sums: Float64Array; // three per normal
  readonly #touch: Float32Array; // per vertex of the cage's surface
  readonly #heat: Float32Array;
  readonly #marks: Uint8Array; // per vertex of the model: 1 pinned, 2 rigid
  readonly #cage: Cage;
  #groupsShown = '';
  #isTouching = false;

  constructor(model: EditedModel, { cage }: Shape) {
    const { triangles } = model;
    const welded = surfaceOfModel(model);
    const { groupOfCorner, groupCount } = groupCorners(welded.triangles, welded.positions);
    const known = new Map<number, number>();
    const source: number[] = [],
      group: number[] = [];
    this.index = new Uint32Array(triangles.length);
    for (let corner = 0; corner < triangles.length; corner++) {
      const key = triangles[corner] * groupCount + groupOfCorner[corner]; // exact below 2^53
      let drawn = known.get(key);
      if (drawn === undefined) {
        known.set(key, (drawn = source.length));
        source.push(triangles[corner]);
        group.push(groupOfCorner[corner]);
      }
      this.index[corner] = drawn;
    }
    this.vertexCount = source.length;
    this.#source = Uint32Array.from(source);
    this.#surfaceVertex = this.#source.map((v) => cage.surfaceVertex[v]);
    this.#group = Uint32Array.from(group);
    this.#sums = new Float64Array(3 * groupCount);
    this.#touch = new Float32Array(cage.surface.vertexCount);
    this.#heat = new Float32Array(cage.surface.vertexCount);
    this.#marks = new Uint8Array(model.positions.length / 3);
    this.#cage = cage;
  }

  createBuffers(): PictureBuffers {
    return {
      positions: new Float32Array(3 * this.vertexCount),
      normals: new Int16Array(4 * this.vertexCount),
      tints: new Uint8Array(4 * this.vertexCount),
    };
  }

  /** Which vertices are held by pins and regions. */
  mark(controls: readonly ControlInfo[]): void {
    this.#marks.fill(0);
    for (const { kind, vertices } of controls) {
      if (kind !== 'handle') for (const v of vertices) this.#marks[v] = kind === 'pin' ? 1 : 2;
    }
  }

  write(shape: Shape, { positions, normals, tints }: PictureBuffers): void {
    this.#sumNormals(shape.positions);
    this.#findTouching(shape);
    this.#findHeat(shape);
    const p = shape.positions,
      source = this.#source,
      sums = this.#sums;
    for (let v = 0; v < source.length; v++) {
      const from = 3 * source[v],
        g = 3 * this.#group[v],
        s = this.#surfaceVertex[v],
        mark = this.#marks[source[v]];
      positions[3 * v] = p[from];
      positions[3 * v + 1] = p[from + 1];
      positions[3 * v + 2] = p[from + 2];
      normals[4 * v] = sums[g];
      normals[4 * v + 1] = sums[g + 1];
      normals[4 * v + 2] = sums[g + 2];
      const isSurface = s !== NO_VERTEX;
      tints[4 * v] = isSurface ? 255 * this.#touch[s] : 0;
      tints[4 * v + 1] = isSurface ? 255 * this.#heat[s] : 0;
      tints[4 * v + 2] = mark === 1 ? 255 : 0;
      tints[4 * v + 3] = mark === 2 ? 255 : 0;
    }
  }

  /** Of the faces around each group of corners, weighted by area; as 16-bit numbers. */
  #sumNormals(p: Float64Array): void {
    const sums = this.#sums,
      { index } = this;
    sums.fill(0);
    for (let t = 0; t < index.length; t += 3) {
      const a = 3 * this.#source[index[t]],
        b = 3 * this.#source[index[t + 1]],
        c = 3 * this.#source[index[t + 2]];
      const ux = p[b] - p[a],
        uy = p[b + 1] - p[a + 1],
        uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a],
        vy = p[c + 1] - p[a + 1],
        vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy,
        y = uz * vx - ux * vz,
        z = ux * vy - uy * vx;
      for (let corner = t; corner < t + 3; corner++) {
        const g = 3 * this.#group[index[corner]];
        sums[g] += x;
        sums[g + 1] += y;
        sums[g + 2] += z;
      }
    }
    for (let g = 0; g < sums.length; g += 3) {
      const length = Math.sqrt(sums[g] ** 2 + sums[g + 1] ** 2 + sums[g + 2] ** 2) || 1;
      for (let a = 0; a < 3; a++) sums[g + a] *= 32767 / length;
    }
  }

  /** 1 at vertices of contacts that are closed, less around them. */
  #findTouching(shape: Shape): void {
    const { rows, lambda } = innerOf(shape).solver;
    const touch = this.#touch;
    if (this.#isTouching) touch.fill(0);
    this.#isTouching = false;
    const nearest = SHOWN_DEPTH * this.#cage.spacing;
    for (let k = 0; k < (rows?.count ?? 0); k++) {
      if (!(lambda[k] < 0 || rows!.depth[k] > nearest)) continue;
      this.#isTouching = true;
      for (let j = 4 * k; j < 4 * k + rows!.terms[k]; j++) touch[rows!.vertices[j]] = 1;
    }
    if (!this.#isTouching) return;
    const { triangles } = this.#cage.surface;
    for (let ring = 0; ring < SPREAD; ring++) {
      const share = SPREAD_SHARE ** (ring + 1),
        reached = SPREAD_SHARE ** ring;
      for (let t = 0; t < triangles.length; t += 3) {
        const a = triangles[t],
          b = triangles[t + 1],
          c = triangles[t + 2];
        if (touch[a] < reached && touch[b] < reached && touch[c] < reached) continue;
        if (touch[a] < share) touch[a] = share;
        if (touch[b] < share) touch[b] = share;
        if (touch[c] < share) touch[c] = share;
      }
    }
  }

  /** How strongly local functions that are in use act at each vertex; deeper levels are hotter. */
  #findHeat(shape: Shape): void {
    const { groups } = innerOf(shape).solver.oracle;
    const name = groups.join();
    if (name === this.#groupsShown) return;
    this.#groupsShown = name;
    const { embedding, tetrahedra } = this.#cage;
    const atCage = new Float32Array(tetrahedra.vertexCount);
    for (const id of groups) {
      const group = shape.basis.group(id);
      if (!group) continue;
      const { rows, columns, weights, level } = group;
      const strength = Math.min(1, 0.3 + 0.23 * level);
      for (let r = 0; r < rows.length; r++) {
        let most = 0;
        for (let c = r * columns; c < (r + 1) * columns; c++) most = Math.max(most, Math.abs(weights[c]));
        atCage[rows[r]] = Math.max(atCage[rows[r]], strength * Math.min(1, most));
      }
    }
    const { controls, weights } = embedding;
    for (let v = 0; v < this.#heat.length; v++) {
      let sum = 0;
      for (let k = 4 * v; k < 4 * v + 4; k++) sum += weights[k] * atCage[controls[k]];
      this.#heat[v] = Math.min(1, Math.max(0, sum));
    }
  }
}
