import type { Shape, TouchingPairs } from 'pliant/edit';
import { DrawnMesh } from '../../host/drawn-mesh.ts';
import type { ControlInfo } from './edits.ts';
import { innerOf } from './inner-shape.ts';
import { type EditedModel, surfaceOfModel } from './model.ts';

/** What changes of a shape from picture to picture. The arrays go back and forth between worker and page. */
export interface PictureBuffers {
  readonly positions: Float32Array; // three per drawn vertex
  readonly normals: Int16Array; // four per drawn vertex, the last unused
  readonly tints: Uint8Array; // four per drawn vertex: touching, heat, pinned, rigid
}

/** What is drawn: points, and what touches, by the contacts of a shape or by pairs of triangles. */
export interface Drawn {
  readonly positions: Float64Array;
  readonly shape?: Shape;
  readonly touching?: TouchingPairs;
}

/** How strongly triangles are tinted that touch in the bind pose already. */
const AT_BIND = 0.4;
/** … and what is held because it is far from contacts, of 255. */
const HELD = 105;
/** Touching spreads over so many rings of triangles, each with a share of the one before. */
const SPREAD = 2;
const SPREAD_SHARE = 0.62;
const NO_VERTEX = 0xffffffff;
const SHOWN_DEPTH = -0.2; // rows whose point is not further out than this share of an edge of the cage

/** A shape, or a mesh in a pose, as it is drawn; index and vertices stay the same from picture to picture. */
export class Picture {
  readonly #drawn: DrawnMesh;
  readonly #surfaceVertex: Uint32Array; // drawn vertex -> vertex of the surface
  readonly #surface: Uint32Array; // its triangles
  readonly #surfaceOf: Uint32Array; // vertex of the model -> vertex of the surface
  readonly #corners: Uint32Array; // triangles of the model, by vertices of the surface
  readonly #touch: Float32Array; // per vertex of the surface
  readonly #heat: Float32Array;
  readonly #marks: Uint8Array; // per vertex of the surface: 1 pinned, 2 rigid, 3 held by itself
  #groupsShown = '';
  #isTouching = false;

  constructor(model: EditedModel, shape?: Shape) {
    const { triangles, bind: positions = model.positions } = model;
    const mesh = surfaceOfModel({ ...model, positions });
    this.#drawn = new DrawnMesh({ mesh, sourceTriangles: triangles });
    const { surface = mesh, surfaceVertex = mesh.weldedVertex } = shape?.cage ?? {};
    this.#surfaceVertex = this.#drawn.source.map((v) => surfaceVertex[v]);
    this.#surface = surface.triangles;
    this.#corners = triangles.map((v) => surfaceVertex[v]);
    this.#touch = new Float32Array(surface.vertexCount);
    this.#heat = new Float32Array(surface.vertexCount);
    this.#marks = new Uint8Array(surface.vertexCount);
    this.#surfaceOf = surfaceVertex;
  }

  get index(): Uint32Array {
    return this.#drawn.index;
  }

  get vertexCount(): number {
    return this.#drawn.vertexCount;
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
    for (const { kind, vertices, isHold } of controls) {
      if (kind === 'handle') continue;
      const mark = kind === 'rigid' ? 2 : isHold ? 3 : 1;
      for (const v of vertices) this.#marks[this.#surfaceOf[v]] = mark;
    }
  }

  write(drawn: Drawn, { positions, normals, tints }: PictureBuffers): void {
    const { source } = this.#drawn;
    const { shape, touching } = drawn;
    this.#drawn.writePoints(drawn.positions, positions, normals);
    if (this.#isTouching) this.#touch.fill(0);
    this.#isTouching = false;
    if (touching) this.#takeTouching(touching);
    else if (shape) this.#findTouching(shape);
    if (shape) this.#findHeat(shape);
    for (let v = 0; v < source.length; v++) {
      const s = this.#surfaceVertex[v],
        isSurface = s !== NO_VERTEX;
      const mark = isSurface ? this.#marks[s] : 0;
      tints[4 * v] = isSurface ? 255 * this.#touch[s] : 0;
      tints[4 * v + 1] = isSurface ? 255 * this.#heat[s] : 0;
      tints[4 * v + 2] = mark === 1 ? 255 : mark === 3 ? HELD : 0;
      tints[4 * v + 3] = mark === 2 ? 255 : 0;
    }
  }

  /** 1 at vertices of triangles that touch, less where they do so in the bind pose. */
  #takeTouching({ pairs, atBind }: TouchingPairs): void {
    this.#isTouching = pairs.length > 0;
    for (let k = 0; k < pairs.length; k++) {
      const share = atBind[k >> 1] === 1 ? AT_BIND : 1;
      for (let c = 3 * pairs[k]; c < 3 * pairs[k] + 3; c++) {
        const v = this.#corners[c];
        if (this.#touch[v] < share) this.#touch[v] = share;
      }
    }
  }

  /** 1 at vertices of contacts that are closed, less around them. */
  #findTouching(shape: Shape): void {
    const { rows, lambda } = innerOf(shape).solver;
    const touch = this.#touch;
    const nearest = SHOWN_DEPTH * shape.cage.spacing;
    for (let k = 0; k < (rows?.count ?? 0); k++) {
      if (!(lambda[k] < 0 || rows!.depth[k] > nearest)) continue;
      this.#isTouching = true;
      for (let j = 4 * k; j < 4 * k + rows!.terms[k]; j++) touch[rows!.vertices[j]] = 1;
    }
    if (!this.#isTouching) return;
    const triangles = this.#surface;
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
    const { embedding, tetrahedra } = shape.cage;
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
