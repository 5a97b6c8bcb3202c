/** Outcome of verifying certificates: how much was looked at, and a counterexample if one was found. */
export class Verification {
  /** Nodes, pairs of nodes and patches whose claims were searched for a counterexample. */
  nodes = 0;
  /** Poses and motions that were queried without certificates. */
  poses = 0;
  /** Touching pairs of triangles that were held against all claims about them. */
  contacts = 0;
  /** Why the certificate is wrong; undefined: no counterexample was found. */
  refutation: string | undefined;
  /** A pose that shows it: weights of the modes, or positions of the points. */
  pose: Float64Array | undefined;

  /** The first one counts. */
  refute(text: string, pose?: Float64Array): void {
    this.refutation ??= text;
    this.pose ??= pose;
  }

  /** What another one has found as well. */
  add({ nodes, poses, contacts, refutation, pose }: Verification): void {
    this.nodes += nodes;
    this.poses += poses;
    this.contacts += contacts;
    if (refutation !== undefined) this.refute(refutation, pose);
  }
}
