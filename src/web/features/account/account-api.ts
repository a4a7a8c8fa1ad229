import { createAccountClient } from '../../../client/account.ts'
import { fetchInSession } from '../../lib/api.ts'
import { basePath } from '../../lib/base-path.ts'

export const accountApi = createAccountClient({ baseUrl: basePath, fetch: fetchInSession })
