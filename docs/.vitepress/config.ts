import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { linkRepository } from './repository-links.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const sidebarOfApi = fileURLToPath(new URL('generated/api-sidebar.json', import.meta.url));

/** The path below which the site stands, with a slash at both ends. */
const base = process.env.PLIANT_DOCS_BASE ?? '/';

export default defineConfig({
  title: 'Pliant',
  description: 'Exact, real-time collision and self-collision queries for deforming triangle meshes',
  lang: 'en-GB',
  base,
  cacheDir: '.vitepress/.cache',
  srcExclude: ['test/**', 'samples/**'],
  lastUpdated: false,
  metaChunk: true, // what all pages share, once

  head: [
    ['meta', { name: 'theme-color', content: '#0f766e' }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }],
  ],
  ignoreDeadLinks: [isNotWrittenYet],
  markdown: { config: (md) => linkRepository(md, folder) },
  transformPageData(page) {
    if (page.relativePath.startsWith('api/')) Object.assign(page.frontmatter, { prev: false, next: false });
  },
  themeConfig: {
    logo: '/icon.svg',
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Certificates', link: '/certificates' },
      { text: 'Command', link: '/command' },
      { text: 'API', link: '/api/' },
      { text: 'Papers', link: '/reproduce' },
    ],
    sidebar: { ...readApiSidebars(), '/': listPages() },
    docFooter: { prev: 'Before', next: 'Next' },
    footer: { message: 'MIT licence' },
  },
  vite: {
    build: { target: 'es2022', chunkSizeWarningLimit: 1500 },
    worker: { format: 'es' },
    optimizeDeps: { exclude: ['pliant'] }, // it finds its workers beside itself
    server: { fs: { allow: ['../..'] } },
  },
});

function listPages(): DefaultTheme.SidebarItem[] {
  return [
    {
      text: 'Begin',
      items: [
        { text: 'Start in five minutes', link: '/start' },
        { text: 'What exact means', link: '/guide/exact' },
        { text: 'Queries', link: '/guide/queries' },
        { text: 'Choosing a method', link: '/guide/methods' },
        { text: 'Examples', link: '/examples' },
        { text: 'Questions', link: '/faq' },
      ],
    },
    {
      text: 'Bodies',
      items: [
        { text: 'Rigid', link: '/guide/rigid' },
        { text: 'Free', link: '/guide/free' },
        { text: 'Modes and morph targets', link: '/guide/modes' },
        { text: 'Skins', link: '/guide/skins' },
        { text: 'Meshless', link: '/guide/meshless' },
        { text: 'In tetrahedra or a cage', link: '/guide/embedded' },
      ],
    },
    {
      text: 'Certificates',
      items: [
        { text: 'Explained, with figures', link: '/certificates' },
        { text: 'Making and storing them', link: '/certify' },
        { text: 'Subspace, in figures', link: '/subspace' },
        { text: 'Energy, in figures', link: '/energy' },
      ],
    },
    {
      text: 'Tools',
      items: [
        { text: 'The command', link: '/command' },
        { text: 'File formats', link: '/formats' },
        { text: 'Many machines', link: '/queue' },
        { text: 'The studio', link: '/studio' },
        { text: 'The shape editor', link: '/editor' },
        { text: 'Editing in programs', link: '/edit' },
        { text: 'Correcting skins', link: '/correct' },
        { text: 'Sound', link: '/sound' },
      ],
    },
    {
      text: 'Background',
      items: [
        { text: 'Performance', link: '/performance' },
        { text: 'What an import weighs', link: '/size' },
        { text: 'Reproducing the papers', link: '/reproduce' },
        { text: 'Errata of the papers', link: '/errata' },
        { text: 'From equation to file', link: '/equations' },
        { text: 'Contributing', link: '/contributing' },
        { text: 'API reference', link: '/api/' },
      ],
    },
  ];
}

/** What `scripts/docs-api.mjs` leaves, one subpath at a time; nothing before its first run. */
function readApiSidebars(): DefaultTheme.SidebarMulti {
  const [main]: DefaultTheme.SidebarItem[] = existsSync(sidebarOfApi)
    ? JSON.parse(readFileSync(sidebarOfApi, 'utf8'))
    : [{ items: [] }];
  const isKind = ({ text = '' }: DefaultTheme.SidebarItem) => /^[A-Z]/.test(text);
  const items = main.items ?? [];
  const subpaths = items.filter((item) => !isKind(item));
  const all = { text: 'pliant', link: '/api/pliant/', items: items.filter(isKind) };
  const modules = [
    all,
    ...subpaths.map(({ text, items }) => ({ text: `pliant/${text}`, link: `/api/pliant/${text}/`, items })),
  ];
  const others = { text: 'Subpaths', items: modules.map(({ text, link }) => ({ text, link })) };
  const back = { text: '← Guides', link: '/start' };
  const sidebars = modules.map(({ text, link, items }) => {
    const kinds = items?.map((kind) => ({ ...kind, collapsed: false }));
    return [link, [back, { text, items: kinds }, others]];
  });
  return { ...Object.fromEntries(sidebars), '/api/': [back, others] };
}

/** Pages of results are made by `npm run reproduce`. */
function isNotWrittenYet(link: string): boolean {
  const name = /^(?:\.?\/)*(reproduce|results\/[^#]*)/.exec(link)?.[1];
  return name !== undefined && !existsSync(`${folder}/${name.replace(/\.(md|html)$/, '')}.md`);
}
