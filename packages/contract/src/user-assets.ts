/** Uploads of images: `/user-assets`, and what uploads to every API have in common. */
import Type from 'typebox'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'

/** Accepted types of uploads, by content; the media type sent by the client is ignored. */
export const UPLOAD_MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** The largest file in bytes: enough for a photo from a phone. */
export const LARGEST_UPLOAD = 8 * 1024 * 1024

/** Where an uploaded image is served. */
export const UploadedAsset = Type.Object({
  url: Type.String({ examples: ['https://auth.example/assets/default/m3k8x0v5q2n7b4c9z1a6s.webp'] }),
})

/** The errors of every upload. */
export const uploadErrors = [
  'storage.not_configured',
  'storage.upload_error',
  'guard.file_size_exceeded',
  'guard.mime_type_not_allowed',
  'request.unavailable',
] as const

export const userAssetRoutes = routes({
  getAssetServiceStatus: {
    method: 'GET',
    path: '/user-assets/service-status',
    permission: 'read:user-assets',
    summary: 'See whether uploads are possible, and of which types and size',
    status: 200,
    response: Type.Object({
      status: OneOf(['ready', 'not_configured']),
      allowUploadMimeTypes: Type.Optional(Type.Array(OneOf(UPLOAD_MEDIA_TYPES))),
      maxUploadFileSize: Type.Optional(Type.Integer({ description: 'Bytes' })),
      isExperienceAvatarUploadEnabled: Type.Optional(Type.Boolean()),
    }),
  },
  uploadAsset: {
    method: 'POST',
    path: '/user-assets',
    permission: 'write:user-assets',
    summary: 'Upload an image, such as a logo',
    description:
      'Use the `url` of the response wherever the address of an image is expected: logos and icons of the sign-in pages, of applications and of organizations, avatars. The image is decoded and re-encoded, without metadata, with at most 2048 pixels on each side: JPEG and WebP as what they are, PNG and GIF as PNG; of an animation the first frame is kept. What is not an image of one of the allowed types is refused, by its content and not by the type that the client names, and so is one of more than 25 million pixels. The image is kept until its tenant is deleted.',
    upload: true,
    status: 200,
    response: UploadedAsset,
    errors: uploadErrors,
  },
})
