import type { Certificate, Tree } from 'pliant';
import type { SubspaceCertificate } from 'pliant/cull';

const SMALL = 8; // triangles: the parts of such nodes are not asked about

/**
 * How much of a body its certificates prove free of contact with itself in the pose that is set: the share of all nodes
 * that need not be looked into. 1 when the whole body is free.
 */
export function clearedShare(
  certificates: readonly Pick<Certificate, 'begin' | 'clears'>[],
  tree: Pick<Tree, 'link' | 'slotCount' | 'nodeCount'>,
  swept: boolean,
): number {
  for (const certificate of certificates) certificate.begin(swept);
  const { link, slotCount } = tree;
  const stack = [0];
  let opened = 0;
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (certificates.some((certificate) => certificate.clears(node, node))) continue;
    opened += slotCount[node] <= SMALL ? 2 * slotCount[node] - 1 : 1; // a small one counts with all its parts
    if (slotCount[node] > SMALL) stack.push(link[node], link[node] + 1);
  }
  return 1 - opened / tree.nodeCount;
}

/** False for a pose so far away that the certificate would be asked about every node in vain. */
export function isWithinReach(certificate: Certificate): boolean {
  if (!isSubspace(certificate)) return true;
  return certificate.balls.some(({ limit }, k) => certificate.gaugeOfPose(k) < limit);
}

function isSubspace(certificate: Certificate): certificate is SubspaceCertificate {
  return 'gaugeOfPose' in certificate && 'balls' in certificate;
}
