import { createAccountClient } from '../../../client/account.ts'
import { fetchInSession } from '../../lib/api.ts'
import { basePath } from '../../lib/base-path.ts'

export const account = createAccountClient({ baseUrl: basePath, fetch: fetchInSession })
