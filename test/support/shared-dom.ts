import { builtinEnvironments, type Environment } from 'vitest/runtime'

/** A document that all test files of a worker share: modules such as React keep the first one they see. */
const sharedDom: Environment = {
  ...builtinEnvironments['happy-dom'],
  name: 'shared-dom',
  async setup(global, options) {
    if (!('document' in global)) await builtinEnvironments['happy-dom'].setup(global, options)
    return { teardown: () => undefined }
  },
}

export default sharedDom
