import { z } from 'zod'

// The page's policy forbids code made from text, and trying it is already reported. Must come before any shape is made.
z.config({ jitless: true })
