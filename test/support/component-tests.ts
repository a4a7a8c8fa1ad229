import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { waitOptions } from './wait-options.ts'

// Set-up of each component test file. The files of a worker share its process, its document and its
// packages, but not the modules of the web app, so that each can mock some of them.
vi.resetModules()

// A busy machine needs longer than the default of a second.
configure({ asyncUtilTimeout: waitOptions.timeout })

afterEach(cleanup)

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})
