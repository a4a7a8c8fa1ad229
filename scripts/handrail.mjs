#!/usr/bin/env node
// npm run handrail -- <command>
import { bundle, server } from './lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

await ensureInstalled()
await ensureBuilt([server, bundle])
await import('../dist/cli/main.js')
