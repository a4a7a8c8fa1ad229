#!/usr/bin/env node
// npm run handrail -- <command>
import { server } from './lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

await ensureInstalled()
await ensureBuilt([server])
await import('../dist/cli/main.js')
