// Commands import this before any module that an older Node cannot run.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Handrail requires Node 20.19 or later; this is Node ${process.versions.node}. Get it from https://nodejs.org`,
  )
  process.exit(1)
}
