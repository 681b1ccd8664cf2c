ALTER TABLE "uploads" ADD COLUMN "via" text DEFAULT 'server' NOT NULL;--> statement-breakpoint
UPDATE "uploads" SET "via" = CASE WHEN "size" > "part_size" THEN 'bucket-parts' ELSE 'bucket-put' END WHERE "store_upload_id" IS NOT NULL;--> statement-breakpoint
UPDATE "uploads" SET "store_upload_id" = NULL WHERE "store_upload_id" = '';--> statement-breakpoint
UPDATE "uploads" SET "status" = CASE WHEN "job_id" IS NULL THEN 'joining' ELSE 'verifying' END WHERE "status" = 'completing';
