import { expect, test } from 'vitest'
import { seal } from '../../../lib/sealed-text.ts'
import type { Database } from '../../../storage/engine/database.ts'
import type { Service } from '../../service.ts'
import { findConnection, isConnectionKnown } from './connection.ts'

const encryptionKey = 'key of these tests'
const rowWith = (signingSecret: string) => ({
  teamId: 'T1',
  sealedToken: seal('token', encryptionKey, 'wsp_1'),
  sealedSigningSecret: seal(signingSecret, encryptionKey, 'wsp_1'),
})

test('what was read while the connection changed is not kept', async () => {
  const reads: ((row: object) => void)[] = []
  let change = () => {}
  const database = {
    inWorkspace: () => new Promise((resolve) => reads.push(resolve)),
    wakeUps: {
      listen: (_: string, onChange: () => void) => {
        change = onChange
      },
    },
  } as unknown as Database
  const service = { database, secrets: { encryptionKey } } as Service
  const early = findConnection(service, 'wsp_1')
  change()
  reads[0]!(rowWith('old'))
  expect(await early).toMatchObject({ signingSecret: 'old' })
  expect(isConnectionKnown(service, 'wsp_1')).toBe(false)
  const late = findConnection(service, 'wsp_1')
  reads[1]!(rowWith('new'))
  expect(await late).toMatchObject({ signingSecret: 'new' })
  expect(await findConnection(service, 'wsp_1')).toMatchObject({ signingSecret: 'new' })
  expect(reads).toHaveLength(2)
})
