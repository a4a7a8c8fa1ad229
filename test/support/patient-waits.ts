import { vi } from 'vitest'
import { waitOptions } from './wait-options.ts'

// Set-up of test files whose calls of vi.waitFor have no options. Vitest waits a second, which a busy
// machine may exceed, and has no setting for it.
const { waitFor } = vi
vi.waitFor = ((callback, options = waitOptions) => waitFor(callback, options)) as typeof waitFor
