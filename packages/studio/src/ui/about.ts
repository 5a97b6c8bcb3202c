import type { OpenedScene } from '../host/protocol.ts';
import { byId, create } from './dom.ts';
import { plural } from './format.ts';

/** Names the scene that is shown in the bar and in the title of the window. */
export function showAbout(what: string, { meshes, kernels }: OpenedScene): void {
  const triangles = meshes.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
  const facts = [
    plural(meshes.length, 'body', 'bodies'),
    plural(triangles, 'triangle'),
    `${kernels} kernels`,
  ];
  byId('about').replaceChildren(create('strong', {}, what), ` · ${facts.join(' · ')}`);
  document.title = `${what} – Pliant Studio`;
}
