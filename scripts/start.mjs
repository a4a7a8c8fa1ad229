// npm start
import { prepare } from './prepare.mjs'

await prepare()
await import('../dist/server/main.js')
