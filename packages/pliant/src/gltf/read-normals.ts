import { type FileBytes, fileBytes } from '../io/file-bytes.ts';
import { checkMade, checkObject } from '../mesh/check-input.ts';
import { Accessors, COORDINATES } from './accessors.ts';
import { Budget } from './budget.ts';
import { BufferViews } from './buffer-views.ts';
import { openContainer } from './container.ts';
import { decodeAccessors } from './decode.ts';
import { DRACO } from './draco.ts';
import { Elements } from './elements.ts';
import type { GltfMesh } from './gltf-scene.ts';
import { address, JsonCheck } from './json-check.ts';
import type { ReadGltfOptions } from './read-gltf.ts';

/**
 * Normals of a mesh as the file has them, three per vertex; zeros where it has none, as for points, and where they are
 * packed with Draco. `file` is a .glb or .gltf that is not gzipped, from which the mesh was read.
 */
export async function readNormals(
  file: FileBytes,
  fileName: string,
  from: GltfMesh,
  options: ReadGltfOptions = {},
): Promise<Float64Array> {
  const bytes = fileBytes(file, fileName);
  checkMade('mesh', from, 'readGltf', 'primitives', 'positions');
  checkObject('options', options);
  const { mesh, primitives, positions } = from;
  const { readResource, decoders = {}, maxBytes } = options;
  const check = new JsonCheck(fileName);
  const { json, binary } = openContainer(bytes, fileName);
  const budget = new Budget(check, bytes.length, maxBytes);
  const views = new BufferViews(check, json, binary, decoders, budget);
  const accessors = new Accessors(check, json, views, budget);
  const where = address('mesh', mesh, '');
  const def = check.objects(json, 'meshes')[mesh];
  const found = check.objects(def, 'primitives', `${where}: primitives`).map((primitive, k) => {
    const attributes = check.optionalObject(primitive.attributes, `${where}: attributes`) ?? {};
    const extensions = check.optionalObject(primitive.extensions, `${where}: extensions`) ?? {};
    if (attributes.NORMAL === undefined || extensions[DRACO] !== undefined) return undefined;
    if (primitives[k].vertexCount === 0) return undefined;
    const place = `${where}, primitive ${k}, NORMAL`;
    const accessor = accessors.use(attributes.NORMAL, place, COORDINATES);
    if (accessor.count !== primitives[k].vertexCount) {
      check.fail(
        'mismatch',
        `${place}: ${accessor.count} elements, but there are ${primitives[k].vertexCount} vertices`,
      );
    }
    return accessor;
  });
  const viewBytes = await views.load(readResource);
  const arrays = await decodeAccessors(
    check,
    [...accessors.used.values()],
    (index) => views.use(index),
    viewBytes,
  );
  const elements = new Elements(check, arrays);
  const normals = new Float64Array(positions.length);
  found.forEach((accessor, k) => {
    if (accessor)
      elements.copy(accessor, `${where}, primitive ${k}, NORMAL`, normals, 3 * primitives[k].firstVertex);
  });
  return normals;
}
