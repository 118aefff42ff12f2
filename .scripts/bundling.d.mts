export declare const bundling: { readonly resolve: { readonly alias: Readonly<Record<string, string>> } };
