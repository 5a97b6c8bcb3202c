/** The editor's place in the gallery. */
export const EDITOR = {
  id: 'editor',
  key: 'E',
  title: 'Shape editor',
  summary: 'Take hold of a shape and pull: it bends, touches, and stays whole. Keep the result',
} as const;
