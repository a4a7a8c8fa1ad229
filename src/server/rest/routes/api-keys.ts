import { z } from 'zod'
import { ApiKeys, ApiKeyWithSecret, CreateApiKey, RotateApiKey } from '../../../contract/api-key.ts'
import { ApiKeyId } from '../../../contract/ids.ts'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../domain/workspaces/api-keys.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ keyId: ApiKeyId })

export const apiKeyRoutes = [
  defineRoute({
    method: 'get',
    path: '/api-keys',
    operationId: 'apiKeys',
    who: 'member',
    role: 'admin',
    summary: 'List all API keys, including revoked ones.',
    responses: { 200: ApiKeys },
    async handle(service, { actor }) {
      return { status: 200, body: { apiKeys: await listApiKeys(service, actor) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api-keys',
    operationId: 'createApiKey',
    who: 'member',
    role: 'admin',
    summary: 'Create an API key. The key is shown only in this response.',
    body: CreateApiKey,
    responses: { 201: ApiKeyWithSecret },
    async handle(service, { actor, body }) {
      return { status: 201, body: await createApiKey(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api-keys/{keyId}/rotate',
    operationId: 'rotateApiKey',
    who: 'member',
    role: 'admin',
    summary:
      'Rotate an API key: it gets a new secret, and the old secret works until the overlap ends, by default for 24 hours.',
    params,
    body: RotateApiKey,
    responses: { 200: ApiKeyWithSecret },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await rotateApiKey(service, actor, params.keyId, body.overlapSeconds) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api-keys/{keyId}',
    operationId: 'revokeApiKey',
    who: 'member',
    role: 'admin',
    summary: 'Revoke an API key. It stops working within five seconds on all nodes.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await revokeApiKey(service, actor, params.keyId)
      return { status: 204 }
    },
  }),
]
