import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const backend = process.env.HANDRAIL_DEV_BACKEND ?? 'http://127.0.0.1:3000'

const source = (path: string) => fileURLToPath(new URL(`src/web/${path}`, import.meta.url))

export default defineConfig({
  root: 'src/web',
  // The service may be mounted beneath any path; it puts that path before "./assets/" when it
  // serves the page.
  base: './',
  define: { 'import.meta.env.HANDRAIL_VERSION': JSON.stringify(version) },
  plugins: [react()],
  resolve: {
    alias: {
      entities: source('widgets/html-entities.ts'),
      './LayoutGridField.js': source('parts/form/no-layout-field.ts'),
      './LayoutHeaderField.js': source('parts/form/no-layout-field.ts'),
      './LayoutMultiSchemaField.js': source('parts/form/no-layout-field.ts'),
    },
  },
  css: {
    modules: {
      localsConvention: 'camelCaseOnly',
      // Readable in the inspector and unique, as no two components have files with the same name.
      generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}`,
    },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // An inlined font or picture would be a data: URL, which the page's policy does not allow for
    // fonts.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      // Nothing here relies on reading a property for its effect.
      treeshake: { propertyReadSideEffects: false },
      // One file compresses better than twenty, and lazy parts list fewer files: what the first page
      // imports, and what a task imports besides.
      output: {
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'] },
            { name: 'task-pane', test: /parts\/task-view\/task-pane\.tsx$/ },
          ],
        },
      },
    },
    // The first, which the page-weight test limits, is larger than the default after minification.
    chunkSizeWarningLimit: 600,
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      ...Object.fromEntries(['/api', '/client', '/mcp', '/health', '/docs'].map((path) => [path, backend])),
      // Its GET is a page of the web app.
      '/unsubscribe': {
        target: backend,
        bypass: ({ method }) => (method === 'GET' ? '/index.html' : undefined),
      },
    },
  },
})
