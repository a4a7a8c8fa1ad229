import { z } from 'zod'
import { optional, printable, Timestamp, TimestampInput } from './field.ts'
import { ApiKeyId } from './ids.ts'
import { keyLimitInputs, keyLimits } from './key-limits.ts'
import { limits } from './limits.ts'

/** Scopes of an API key. `tasks` includes `tasks:read`. */
export const keyScopes = ['tasks', 'tasks:read', 'analysis:read'] as const
export const KeyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof KeyScope>
/** A function, because an exported schema is a component in the OpenAPI document. */
export const keyScopesInput = () => z.array(KeyScope).min(1).max(keyScopes.length)

export const ApiKey = z.object({
  keyId: ApiKeyId,
  name: z.string(),
  firstCharacters: z.string().meta({ example: 'hrl_7Kq2' }),
  lastFour: z.string(),
  scopes: z.array(KeyScope),
  ...keyLimits,
  createdBy: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.optional(),
  expiresAt: Timestamp.optional(),
  revokedAt: Timestamp.optional(),
  exceedsMaxLifetime: z.literal(true).optional().meta({
    description: 'The key is valid for longer than the workspace allows for new keys.',
  }),
  oldSecretUntil: Timestamp.optional().meta({
    description: 'After a rotation: until when the old secret works.',
  }),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) })
export type ApiKeys = z.infer<typeof ApiKeys>
export const CreateApiKey = z.strictObject({
  name: printable(limits.keyName),
  expiresAt: optional(TimestampInput).meta({
    description: 'Left out: never, or after the longest lifetime that the workspace allows.',
  }),
  scopes: optional(keyScopesInput()).meta({
    description:
      'What the key may do. Left out: the default of the workspace, which is everything unless an owner has changed it.',
  }),
  ...keyLimitInputs,
})
export type CreateApiKey = z.infer<typeof CreateApiKey>
export const RotateApiKey = z.strictObject({
  overlapSeconds: optional(
    z
      .int()
      .min(0)
      .max(30 * 86_400),
  ),
})
export type RotateApiKey = z.infer<typeof RotateApiKey>
/** The key is shown once: only its HMAC is stored. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() })
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>
