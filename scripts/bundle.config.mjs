// Bundles the service and its command with their packages: a process starts with a dozen files to
// read instead of a thousand. `npm run bench -- start` measures it.
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: { 'server/main': 'src/server/main.ts', 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  // Log lines contain names of classes and functions.
  output: { dir: 'dist', chunkFileNames: 'chunks/[name]-[hash].js', sourcemap: true, keepNames: true },
})
