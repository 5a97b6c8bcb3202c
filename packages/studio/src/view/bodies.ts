import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineSegments,
  Mesh,
  type ShaderMaterial,
} from 'three';
import type { FrameResult, FrameTrace, OpenedScene } from '../host/protocol.ts';
import { BODY_TONES } from '../scenes/tones.ts';
import { createFlat, createShadow, createSurface, type SharedUniforms } from './materials.ts';
import { levelColour, PALETTES, type Palette } from './palette.ts';

/**
 * All bodies of a scene in one set of vertices: drawn whole, by touching triangles, or sorted by tree level. Only the
 * order of indices differs, so that a frame costs one upload of positions and normals.
 */
export class Bodies {
  readonly group = new Group();
  readonly scene: OpenedScene;
  readonly #position: BufferAttribute;
  readonly #normal: BufferAttribute;
  readonly #tone: BufferAttribute;
  readonly #solid: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #glass: ShaderMaterial;
  readonly #opaque: ShaderMaterial;
  readonly #shadow: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #contact: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #ghost: Mesh<BufferGeometry, ShaderMaterial>; // contacts that something hides
  readonly #levels: Mesh<BufferGeometry, ShaderMaterial[]>;
  readonly #curves: LineSegments<BufferGeometry, ShaderMaterial>;

  constructor(scene: OpenedScene, shared: SharedUniforms) {
    this.scene = scene;
    const { vertexCount, index, tones } = scene;
    this.#position = new BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(DynamicDrawUsage);
    this.#normal = new BufferAttribute(new Int16Array(4 * vertexCount), 4, true).setUsage(DynamicDrawUsage);
    this.#tone = new BufferAttribute(
      tones.map((t) => t % BODY_TONES),
      1,
    ).setUsage(DynamicDrawUsage);
    const geometry = (order: Uint32Array) => {
      // Room for all triangles at once: vertices are shared, so no geometry may be thrown away to grow.
      const sharing = new BufferGeometry().setIndex(new BufferAttribute(order, 1).setUsage(DynamicDrawUsage));
      sharing.setAttribute('position', this.#position).setAttribute('normal', this.#normal);
      return sharing.setAttribute('tone', this.#tone);
    };
    this.#opaque = createSurface(shared);
    this.#glass = createSurface(shared, { isGlass: true });
    const whole = geometry(index);
    this.#solid = new Mesh(whole, this.#opaque);
    this.#shadow = new Mesh(whole, createShadow());
    const touching = geometry(new Uint32Array(index.length));
    touching.setDrawRange(0, 0);
    const { contact, curve } = PALETTES.light;
    this.#contact = new Mesh(touching, createSurface(shared, { colour: contact }));
    this.#contact.material.polygonOffset = true;
    this.#contact.material.polygonOffsetFactor = this.#contact.material.polygonOffsetUnits = -2;
    this.#ghost = new Mesh(touching, createFlat(contact, 0.42, true));
    const colours = Array.from({ length: scene.levels }, (_, level) => levelColour(level, scene.levels));
    const levelMaterials = colours.map((colour) => createSurface(shared, { colour }));
    this.#levels = new Mesh(geometry(new Uint32Array(index.length)), [
      createSurface(shared, { isGlass: true, opacity: 0.7 }),
      ...levelMaterials,
    ]);
    this.#curves = new LineSegments(new BufferGeometry(), createFlat(curve, 1, true));
    this.#shadow.renderOrder = -1;
    this.#contact.renderOrder = 1;
    this.#ghost.renderOrder = 2;
    this.#curves.renderOrder = 3;
    for (const part of [this.#shadow, this.#solid, this.#levels, this.#contact, this.#ghost, this.#curves]) {
      part.frustumCulled = false;
      part.matrixAutoUpdate = false;
      this.group.add(part);
    }
    this.showContacts(false);
    this.#curves.visible = false;
  }

  get positions(): Float32Array {
    return this.#position.array as Float32Array;
  }

  showFrame({ positions, normals, touching, curves, trace, facts }: FrameResult): void {
    this.#position.array = positions;
    this.#normal.array = normals;
    this.#position.needsUpdate = this.#normal.needsUpdate = true;
    if (facts?.tones) {
      this.#tone.array = facts.tones;
      this.#tone.needsUpdate = true;
    }
    setIndex(this.#contact.geometry, touching);
    if (curves) setPoints(this.#curves.geometry, curves);
    if (trace) this.#showLevels(trace);
  }

  showGlass(isGlass: boolean): void {
    this.#solid.material = isGlass ? this.#glass : this.#opaque;
  }

  showContacts(isShown: boolean): void {
    this.#contact.visible = this.#ghost.visible = isShown;
  }

  showCurves(isShown: boolean): void {
    this.#curves.visible = isShown;
  }

  /** Either the whole bodies, or their triangles by the level at which the walk turned round. */
  showCulling(isShown: boolean): void {
    this.#levels.visible = isShown;
    this.#solid.visible = !isShown;
  }

  placeShadow(height: number, isShown: boolean): void {
    this.#shadow.material.uniforms.height.value = height;
    this.#shadow.visible = isShown;
  }

  applyPalette({ contact, curve, shadow }: Palette): void {
    for (const { material } of [this.#contact, this.#ghost]) material.uniforms.colour.value.copy(contact);
    this.#curves.material.uniforms.colour.value.copy(curve);
    this.#shadow.material.uniforms.opacity.value = shadow;
  }

  /** Three corners of a triangle, nine numbers. */
  cornersOf(triangle: number): number[] {
    const { index } = this.scene;
    return [0, 1, 2].flatMap((corner) => {
      const o = 3 * index[3 * triangle + corner];
      return [this.positions[o], this.positions[o + 1], this.positions[o + 2]];
    });
  }

  dispose(): void {
    for (const part of [this.#solid, this.#shadow, this.#contact, this.#ghost, this.#curves]) {
      part.geometry.dispose();
      part.material.dispose();
    }
    this.#levels.geometry.dispose();
    for (const material of [this.#opaque, this.#glass, ...this.#levels.material]) material.dispose();
  }

  #showLevels({ index, levelStart }: FrameTrace): void {
    const { geometry, material } = this.#levels;
    geometry.index!.array = index; // always all triangles: nothing is copied here
    geometry.index!.needsUpdate = true;
    geometry.clearGroups();
    for (let k = 0; k + 1 < levelStart.length; k++) {
      const count = levelStart[k + 1] - levelStart[k];
      if (count > 0) geometry.addGroup(levelStart[k], count, Math.min(k, material.length - 1));
    }
  }
}

function setIndex(geometry: BufferGeometry, values: Uint32Array): void {
  write(geometry.index!, values);
  geometry.setDrawRange(0, values.length);
}

/** Grows by doubling; the points are this geometry's own, so it can be thrown away on the graphics card. */
function setPoints(geometry: BufferGeometry, values: Float32Array): void {
  let attribute = geometry.attributes.position as BufferAttribute | undefined;
  if (attribute === undefined || attribute.array.length < values.length) {
    if (attribute) geometry.dispose();
    attribute = new BufferAttribute(new Float32Array(3 * capacityFor(values.length / 3)), 3);
    geometry.setAttribute('position', attribute.setUsage(DynamicDrawUsage));
  }
  write(attribute, values);
  geometry.setDrawRange(0, values.length / 3);
}

function capacityFor(length: number): number {
  return Math.max(256, 2 ** Math.ceil(Math.log2(Math.max(1, length))));
}

function write(attribute: BufferAttribute, values: Uint32Array | Float32Array): void {
  attribute.array.set(values);
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, values.length);
  attribute.needsUpdate = true;
}
