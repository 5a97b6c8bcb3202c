import {
  BufferAttribute,
  BufferGeometry,
  type ColorRepresentation,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import type { Body } from '../body/body.ts';
import { checkObject } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { intersectionSegment } from '../narrow/intersection-segment.ts';
import type { CollisionReport } from '../report/collision-report.ts';

export interface CollisionHelperOptions {
  /** Of touching triangles. Default: red. */
  color?: ColorRepresentation;
  /** Of the curves along which they cut each other. Default: a dark red. */
  curveColor?: ColorRepresentation;
  /** False leaves the curves out, which take longer than the triangles. Default: true. */
  curves?: boolean;
}

/** Draws what a report says, over the objects it is about. Add it to the scene itself: it is in world coordinates. */
export class CollisionHelper extends Group {
  override readonly type = 'CollisionHelper';
  readonly triangles: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly curves: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #drawsCurves: boolean;
  readonly #corners = new Float64Array(18);

  constructor(options: CollisionHelperOptions = {}) {
    super();
    checkObject('options', options);
    const { color = 0xe0202e, curveColor = 0x5b0009, curves = true } = options;
    const surface = new MeshBasicMaterial({ color, side: DoubleSide, polygonOffset: true });
    surface.polygonOffsetFactor = surface.polygonOffsetUnits = -2; // in front of the surfaces it repeats
    this.triangles = new Mesh(new BufferGeometry(), surface);
    const line = new LineBasicMaterial({ color: curveColor, depthTest: false, transparent: true });
    this.curves = new LineSegments(new BufferGeometry(), line);
    this.triangles.frustumCulled = this.curves.frustumCulled = false;
    this.curves.renderOrder = 1;
    this.#drawsCurves = curves;
    this.add(this.triangles, this.curves);
  }

  /**
   * Shows the pairs of a report. `bodies` are those of the query: one for `findSelfCollisions`, two for
   * `findCollisions`, the whole list for `findAllCollisions`; in the pose of the query.
   */
  update(report: CollisionReport, bodies: readonly Body[]): void {
    const most = report.bodies ? bodies.length : Math.min(2, bodies.length);
    if (most === 0 && report.pairCount > 0)
      throw new InputError('mismatch', 'the report speaks of bodies, but none are given');
    const points = new Map<Body, Float64Array>();
    const corners = new Float32Array(18 * report.pairCount);
    const segments: number[] = [];
    for (let k = 0; k < report.pairCount; k++) {
      const pair = [0, 1].map((side) => this.#find(report, k, side, bodies, points));
      pair.forEach(({ at, of }, side) => {
        for (let c = 0; c < 9; c++) corners[18 * k + 9 * side + c] = of[at[Math.floor(c / 3)] + (c % 3)];
      });
      if (this.#drawsCurves) this.#addSegment(pair[0], pair[1], segments);
    }
    show(this.triangles.geometry, corners);
    show(this.curves.geometry, Float32Array.from(segments));
  }

  override dispose(): void {
    for (const { geometry, material } of [this.triangles, this.curves]) {
      geometry.dispose();
      material.dispose();
    }
  }

  /** World positions of a side's body, and where in them its triangle is. */
  #find(
    report: CollisionReport,
    k: number,
    side: number,
    bodies: readonly Body[],
    points: Map<Body, Float64Array>,
  ): Corners {
    const index = report.bodies ? report.bodies[2 * k + side] : Math.min(side, bodies.length - 1);
    const body = bodies[index];
    const triangle = report.pairs[2 * k + side];
    if (body === undefined || triangle >= body.mesh.triangleCount) {
      throw new InputError('mismatch', `pair ${k} of the report does not belong to these bodies`);
    }
    let of = points.get(body);
    if (of === undefined) points.set(body, (of = body.getPositions()));
    const { triangles } = body.mesh;
    return {
      of,
      at: [3 * triangles[3 * triangle], 3 * triangles[3 * triangle + 1], 3 * triangles[3 * triangle + 2]],
    };
  }

  #addSegment({ of: A, at: a }: Corners, { of: B, at: b }: Corners, segments: number[]): void {
    const count = intersectionSegment(A, a[0], a[1], a[2], B, b[0], b[1], b[2], this.#corners);
    for (let c = 0; count > 1 && c < 6; c++) segments.push(this.#corners[c]);
  }
}

interface Corners {
  readonly of: Float64Array;
  readonly at: readonly [number, number, number];
}

/** Fills the geometry's positions, which grow by doubling. */
function show(geometry: BufferGeometry, values: Float32Array): void {
  let attribute = geometry.getAttribute('position') as BufferAttribute | undefined;
  if (attribute === undefined || attribute.array.length < values.length) {
    geometry.dispose(); // also frees the smaller buffer on the graphics card
    const room = 3 * Math.max(64, 2 ** Math.ceil(Math.log2(Math.max(1, values.length / 3))));
    attribute = new BufferAttribute(new Float32Array(room), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', attribute);
  }
  attribute.array.set(values);
  attribute.needsUpdate = true;
  geometry.setDrawRange(0, values.length / 3);
}
