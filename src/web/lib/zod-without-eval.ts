import { z } from 'zod'

// The CSP forbids eval, and even the attempt is reported. Must run before any schema is created.
z.config({ jitless: true })
