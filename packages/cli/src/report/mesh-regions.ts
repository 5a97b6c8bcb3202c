import type { ReportRegions } from '../html/report-data.ts';
import type { PartMesh } from '../scene/scene.ts';

const MOST_REGIONS = 65535;

/** The parts of a mesh that a reader knows by name: joints of a skin, else materials, groups and objects. */
export function reportRegions(mesh: PartMesh): ReportRegions {
  return mesh.skin ? jointRegions(mesh) : namedRegions(mesh);
}

/** Every triangle belongs to the joint that moves it most. */
function jointRegions({ triangles, skin }: PartMesh): ReportRegions {
  const { jointNames, jointCount, influences, joints, weights } = skin!;
  const ofTriangle = new Uint16Array(triangles.length / 3);
  const sums = new Float64Array(jointCount);
  for (let t = 0; t < ofTriangle.length; t++) {
    let best = 0;
    sums.fill(0);
    for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
      for (let k = triangles[corner] * influences; k < (triangles[corner] + 1) * influences; k++) {
        sums[joints[k]] += weights[k];
        if (sums[joints[k]] > sums[best]) best = joints[k];
      }
    }
    ofTriangle[t] = best;
  }
  return { names: jointNames, ofTriangle };
}

function namedRegions({ regions, triangles }: PartMesh): ReportRegions {
  const names: string[] = [];
  const known = new Map<string, number>();
  const ofTriangle = new Uint16Array(triangles.length / 3);
  for (const {
    names: [name],
    firstTriangle,
    triangleCount,
  } of regions) {
    let region = known.get(name);
    if (region === undefined) {
      region = Math.min(names.length, MOST_REGIONS);
      if (region === names.length) names.push(name);
      known.set(name, region);
    }
    ofTriangle.fill(region, firstTriangle, firstTriangle + triangleCount);
  }
  return { names: names.length > 0 ? names : [''], ofTriangle };
}
