CREATE TABLE "collection_upvotes" (
	"collection_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "collection_upvotes_collection_id_user_id_pk" PRIMARY KEY("collection_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "collection_items" ALTER COLUMN "repo_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "collection_items" ADD COLUMN "item_collection_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "upvotes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "collection_upvotes" ADD CONSTRAINT "collection_upvotes_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collection_upvotes_recent" ON "collection_upvotes" USING btree ("collection_id","created_at");--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_item_collection_id_collections_id_fk" FOREIGN KEY ("item_collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "collection_items_collection" ON "collection_items" USING btree ("collection_id","item_collection_id");--> statement-breakpoint
CREATE INDEX "collection_items_of_collection" ON "collection_items" USING btree ("item_collection_id");--> statement-breakpoint
CREATE INDEX "collections_upvotes" ON "collections" USING btree ("upvotes","updated_at","id");--> statement-breakpoint
CREATE INDEX "repo_tags_lower" ON "repo_tags" USING btree (lower("tag"),"repo_id");