/** `/user-assets`. */
import { userAssetRoutes } from '@countersign/contract/user-assets.ts'
import { storePicture, uploadService } from '../domain/uploads/images.ts'
import { bind } from '../http/api.ts'

export const userAssetHandlers = bind(userAssetRoutes, {
  async getAssetServiceStatus(_input, { store }) {
    return uploadService(store)
  },
  async uploadAsset({ body }, call) {
    return { url: await storePicture(call, body.file) }
  },
})
